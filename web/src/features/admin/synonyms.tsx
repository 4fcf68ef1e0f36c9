import { t } from '../../../../contract/i18n.ts';
import { addSynonyms, listSynonyms, removeSynonyms, type SynonymGroup } from '../../../../contract/synonyms.ts';
import { getErrorMessage } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/query.ts';
import { useAction } from '../../api/use-action.ts';
import { useApiForm } from '../../api/use-api-form.ts';
import { useFocusFallback } from '../../hooks/use-focus-fallback.ts';
import { splitWords } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import { Badge, Card } from '../../ui/card.tsx';
import { SkeletonRegion } from '../../ui/feedback.tsx';
import { CheckField, Field, Input } from '../../ui/form-controls.tsx';
import { Query } from '../../ui/query.tsx';
import { useToast } from '../../ui/toast/toast.tsx';

const EMPTY = { words: '', language: '', isOneWay: false };

const toBody = ({ words, language, isOneWay }: typeof EMPTY) => ({
  words: splitWords(words),
  language: language.trim().toLowerCase() || null,
  isOneWay,
});

const toText = ({ words: [first = '', ...others], isOneWay }: SynonymGroup): string => {
  if (others.length === 0) return t('settings.onlyItself', { word: first });
  return isOneWay ? `${first} → ${others.join(', ')}` : [first, ...others].join(', ');
};

/** The operators' groups of words that mean the same in searches: a list, and a form that adds one. */
export const SynonymsCard = () => (
  <Card className="grid h-fit gap-4">
    <h2 className="card-heading">{t('settings.synonyms')}</h2>
    <p className="text-sm text-muted-foreground">{t('settings.synonymsText')}</p>
    <SynonymForm />
    <SynonymList />
  </Card>
);

const SynonymForm = () => {
  const toast = useToast();
  const add = useApiMutation(addSynonyms);
  const apiForm = useApiForm({ endpoint: addSynonyms, toBody, saved: EMPTY });
  const { form, submitRef, isSending } = apiForm;
  const { errors } = form.formState;
  const handleSubmit = apiForm.createSubmit({
    send: (values) => add({ body: toBody(values) }),
    onSent: (group) => {
      apiForm.restart(EMPTY);
      form.setFocus('words');
      toast({ title: t('settings.added'), description: toText(group) });
    },
    onRefused: (error) => toast.error(getErrorMessage(error, t('settings.addFailed'))),
  });
  return (
    <form onSubmit={handleSubmit} className="grid gap-4">
      <Field label={t('settings.words')} hint={t('settings.wordsHint')} error={errors.words?.message}>
        <Input autoComplete="off" autoCapitalize="none" {...form.register('words')} />
      </Field>
      <Field label={t('settings.language')} hint={t('settings.languageHint')} error={errors.language?.message}>
        <Input maxLength={2} autoComplete="off" autoCapitalize="none" {...form.register('language')} />
      </Field>
      <CheckField {...form.register('isOneWay')}>{t('settings.oneWay')}</CheckField>
      <Button ref={submitRef} type="submit" busy={isSending} className="justify-self-start">
        {isSending ? t('settings.adding') : t('settings.addWords')}
      </Button>
    </form>
  );
};

const SynonymList = () => {
  const list = useApiQuery(listSynonyms, {});
  const focusFallback = useFocusFallback<HTMLDivElement>();
  return (
    <section {...focusFallback} tabIndex={-1} aria-label={t('settings.yourWords')}>
      <Query
        of={list}
        failure={t('settings.wordsFailed')}
        size="line"
        loading={<SkeletonRegion boxes={['h-12']} />}
        empty={<p className="text-sm text-muted-foreground">{t('settings.noWords')}</p>}
      >
        {(groups) => (
          <ul className="max-h-96 divide-y divide-border overflow-y-auto">
            {groups.toReversed().map((group) => (
              <SynonymRow key={group.id} group={group} />
            ))}
          </ul>
        )}
      </Query>
    </section>
  );
};

const SynonymRow = ({ group }: { group: SynonymGroup }) => {
  const { isBusy, run } = useAction();
  const remove = useApiMutation(removeSynonyms);
  return (
    <li className="flex items-center gap-3 py-2 text-sm">
      <span className="min-w-0 grow break-words">{toText(group)}</span>
      {group.language ? <Badge>{group.language}</Badge> : null}
      <Button
        variant="outline"
        size="sm"
        busy={isBusy}
        aria-label={t('settings.removeOf', { words: toText(group) })}
        onClick={() => void run(() => remove({ params: { id: group.id } }), t('settings.removeFailed'))}
      >
        {t('settings.remove')}
      </Button>
    </li>
  );
};
