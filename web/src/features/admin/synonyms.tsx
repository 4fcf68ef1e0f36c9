import { addSynonyms, listSynonyms, removeSynonyms, type SynonymGroup } from '../../../../contract/synonyms.ts';
import { getErrorMessage } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/query.ts';
import { useAction } from '../../api/use-action.ts';
import { useApiForm } from '../../api/use-api-form.ts';
import { useFocusFallback } from '../../hooks/use-focus-fallback.ts';
import { Button } from '../../ui/button.tsx';
import { Badge, Card } from '../../ui/card.tsx';
import { SkeletonRegion } from '../../ui/feedback.tsx';
import { CheckField, Field, Input } from '../../ui/form-controls.tsx';
import { Query } from '../../ui/query.tsx';
import { useToast } from '../../ui/toast/toast.tsx';

const EMPTY = { words: '', language: '', isOneWay: false };

const toBody = ({ words, language, isOneWay }: typeof EMPTY) => ({
  words: words
    .split(/[,\n]/)
    .map((word) => word.trim())
    .filter(Boolean),
  language: language.trim().toLowerCase() || null,
  isOneWay,
});

const toText = ({ words: [first = '', ...others], isOneWay }: SynonymGroup): string => {
  if (others.length === 0) return `${first} (finds only itself)`;
  return isOneWay ? `${first} → ${others.join(', ')}` : [first, ...others].join(', ');
};

/** The operators' groups of words that mean the same in searches: a list, and a form that adds one. */
export const SynonymsCard = () => (
  <Card className="grid h-fit gap-4">
    <h2 className="card-heading">Words that mean the same</h2>
    <p className="text-sm text-muted-foreground">
      A search for one of them finds the others. Your groups replace the built-in ones of their words within ten
      seconds.
    </p>
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
      toast({ title: 'Added', description: toText(group) });
    },
    onRefused: (error) => toast.error(getErrorMessage(error, 'Failed to add the words')),
  });
  return (
    <form onSubmit={handleSubmit} className="grid gap-4">
      <Field
        label="Words or phrases"
        hint="Separated by commas: bike, bicycle, cycle. One word alone finds only itself."
        error={errors.words?.message}
      >
        <Input autoComplete="off" autoCapitalize="none" {...form.register('words')} />
      </Field>
      <Field label="Language" hint="A code such as en; empty for all languages." error={errors.language?.message}>
        <Input maxLength={2} autoComplete="off" autoCapitalize="none" {...form.register('language')} />
      </Field>
      <CheckField {...form.register('isOneWay')}>Only the first word finds the others</CheckField>
      <Button ref={submitRef} type="submit" busy={isSending} className="justify-self-start">
        {isSending ? 'Adding...' : 'Add Words'}
      </Button>
    </form>
  );
};

const SynonymList = () => {
  const list = useApiQuery(listSynonyms, {});
  const focusFallback = useFocusFallback<HTMLDivElement>();
  return (
    <section {...focusFallback} tabIndex={-1} aria-label="Your words">
      <Query
        of={list}
        failure="Failed to load the words"
        size="line"
        loading={<SkeletonRegion boxes={['h-12']} />}
        empty={<p className="text-sm text-muted-foreground">You have no groups of your own yet.</p>}
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
        aria-label={`Remove ${toText(group)}`}
        onClick={() => void run(() => remove({ params: { id: group.id } }), 'Failed to remove the words')}
      >
        Remove
      </Button>
    </li>
  );
};
