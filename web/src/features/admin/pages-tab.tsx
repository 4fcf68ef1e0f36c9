import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { t } from '../../../../contract/i18n.ts';
import { LANGUAGE_NAMES, type Language } from '../../../../contract/languages.ts';
import {
  type EditedPage,
  getPage,
  isTextPage,
  resetPage,
  restorePage,
  TEXT_PAGES,
  type TextPage,
  updatePage,
} from '../../../../contract/page-texts.ts';
import { getFixedTitle } from '../../../../contract/pages.ts';
import { PLACEHOLDERS } from '../../../../contract/placeholders.ts';
import { getErrorMessage } from '../../api/client.ts';
import { fetchForQuery, useApiMutation } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { useFormQuery } from '../../api/uncached-query.ts';
import { useAction } from '../../api/use-action.ts';
import { useApiForm } from '../../api/use-api-form.ts';
import { sendVersioned, VersionConflict } from '../../api/versioned.ts';
import { useNewestAddress } from '../../hooks/use-newest-address.ts';
import { changeParams } from '../../lib/change-params.ts';
import { draftKey } from '../../lib/draft.ts';
import { useSiteConfig } from '../../lib/site-config.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DraftNotice } from '../../ui/draft-notice.tsx';
import { SkeletonRegion } from '../../ui/feedback.tsx';
import { Field, NativeSelect, Textarea } from '../../ui/form-controls.tsx';
import { AlertDialog } from '../../ui/lazy-overlays.tsx';
import { Query } from '../../ui/query.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { ConflictDialog } from '../../ui/version-conflict.tsx';
import { PageHistory } from './page-history.tsx';
import { PagePreview } from './page-preview.tsx';

/** The contact page shows its text above its form. */
const toLabel = (page: TextPage, siteName: string): string =>
  page === 'contact' ? t('content.contactPromise') : (getFixedTitle(page, siteName) ?? page);

export const PagesTab = () => {
  const { siteName, languages } = useSiteConfig();
  const [params] = useSearchParams();
  const { change } = useNewestAddress();
  const wanted = params.get('page') ?? '';
  const page = isTextPage(wanted) ? wanted : TEXT_PAGES[0];
  const language = languages.find((known) => known === params.get('language')) ?? languages[0] ?? 'en';
  const handleChange = (next: { page?: string; language?: string }) =>
    change((newest) => changeParams(newest, next), { preventScrollReset: true });
  return (
    <div className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t('content.page')}>
          <NativeSelect
            options={TEXT_PAGES.map((name) => [name, toLabel(name, siteName)] as const)}
            value={page}
            onChange={(event) => handleChange({ page: event.target.value })}
          />
        </Field>
        {languages.length > 1 ? (
          <Field label={t('content.language')}>
            <NativeSelect
              options={languages.map((code) => [code, LANGUAGE_NAMES[code]] as const)}
              translate="no"
              value={language}
              onChange={(event) => handleChange({ language: event.target.value })}
            />
          </Field>
        ) : null}
      </div>
      <PageEditor key={`${page} ${language}`} page={page} language={language} />
    </div>
  );
};

const PageEditor = ({ page, language }: { page: TextPage; language: Language }) => {
  const query = useFormQuery(getPage, { params: { page }, query: { language } });
  return (
    <Query
      of={query}
      failure={t('content.pageFailed')}
      loading={<SkeletonRegion className="grid gap-4 lg:grid-cols-2" boxes={['h-96', 'h-96']} />}
    >
      {(edited) => <PageForm edited={edited} onSaved={(saved) => void query.mutate(saved, { revalidate: false })} />}
    </Query>
  );
};

interface PageFormProps {
  edited: EditedPage;
  onSaved: (saved: EditedPage) => void;
}

const PageForm = ({ edited, onSaved }: PageFormProps) => {
  const { page, language, shown, isBuiltIn, versions } = edited;
  const { user } = useSession();
  const toast = useToast();
  const { run } = useAction();
  const update = useApiMutation(updatePage);
  const restore = useApiMutation(restorePage);
  const reset = useApiMutation(resetPage);
  const apiForm = useApiForm({
    endpoint: updatePage,
    saved: { text: edited.text },
    version: edited.version,
    draft: { key: draftKey(user?.id ?? '', `page ${page} ${language}`), since: 'typed' },
  });
  const { form, submitRef, isSending } = apiForm;
  const text = form.watch('text');
  const [conflicting, setConflicting] = useState<EditedPage>();
  const [isResetting, setResetting] = useState(false);
  const target = { params: { page }, query: { language } };

  const restart = (saved: EditedPage) => {
    setConflicting(undefined);
    onSaved(saved);
    apiForm.restart({ text: saved.text }, saved.version);
  };

  const handleSubmit = apiForm.createSubmit({
    send: (values, { version }) =>
      sendVersioned({
        version,
        put: (last) => update({ ...target, body: { ...values, version: last } }),
        reread: () => fetchForQuery(getPage, target),
        isHarmless: (saved) => saved.text === values.text,
      }),
    onSent: (saved) => {
      restart(saved);
      toast({ title: t('content.saved'), description: t('content.pageSavedText') });
    },
    onRefused: (error) => {
      if (error instanceof VersionConflict) return setConflicting(error.saved as EditedPage);
      toast.error(getErrorMessage(error, t('content.pageSaveFailed')));
    },
  });

  const handleReset = () =>
    void run(async () => {
      restart(await reset(target));
      toast({
        title: page === 'imprint' ? t('content.imprintRemoved') : t('content.wasReset'),
        description: page === 'imprint' ? t('content.imprintRemovedText') : t('content.wasResetText'),
      });
    }, t('content.resetFailed'));

  const handleRestore = (id: string) =>
    void run(async () => {
      restart(await restore({ ...target, body: { id } }));
      toast({ title: t('content.restored'), description: t('content.restoredText') });
    }, t('content.restoreFailed'));

  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
      <form onSubmit={handleSubmit} className="grid content-start gap-4">
        <Card className="grid gap-4">
          <DraftNotice form={apiForm} />
          {shown === language ? null : (
            <p className="text-sm text-muted-foreground">
              {t('content.onlyProposal', { language: LANGUAGE_NAMES[language], shown: LANGUAGE_NAMES[shown] })}
            </p>
          )}
          <Field label={t('content.text')} hint={t('content.textHint')} error={form.formState.errors.text?.message}>
            <Textarea rows={16} dir="auto" className="max-h-[70vh] font-mono text-sm" {...form.register('text')} />
          </Field>
          <Placeholders />
        </Card>
        <div className="flex flex-wrap gap-3">
          <Button ref={submitRef} type="submit" busy={isSending}>
            {isSending ? t('content.saving') : t('content.savePage')}
          </Button>
          {isBuiltIn ? null : (
            <Button variant="outline" onClick={() => setResetting(true)}>
              {page === 'imprint' ? t('content.removeImprint') : t('content.backToBuiltIn')}
            </Button>
          )}
        </div>
        <AlertDialog
          open={isResetting}
          onOpenChange={setResetting}
          title={page === 'imprint' ? t('content.askRemoveImprint') : t('content.askGoBack')}
          text={t('content.askResetText')}
          confirmLabel={page === 'imprint' ? t('content.remove') : t('content.goBack')}
          onConfirm={handleReset}
        />
        <ConflictDialog
          title={t('content.pageConflict')}
          mine={[[t('content.text'), text]]}
          saved={conflicting && [[t('content.text'), conflicting.text]]}
          onKeepMine={() => {
            apiForm.setVersion(conflicting?.version);
            setConflicting(undefined);
            void handleSubmit();
          }}
          onTakeSaved={() => conflicting && restart(conflicting)}
          onClose={() => setConflicting(undefined)}
        />
      </form>
      <div className="lg:sticky lg:top-20 lg:row-span-2">
        <PagePreview text={text} language={language} />
      </div>
      <PageHistory page={page} language={language} versions={versions} onRestore={handleRestore} />
    </div>
  );
};

const Placeholders = () => (
  <details className="text-sm text-muted-foreground">
    <summary className="min-h-8 cursor-pointer py-1 font-medium">{t('content.placeholders')}</summary>
    <dl className="mt-2 grid gap-1">
      {Object.entries(PLACEHOLDERS).map(([name, hint]) => (
        <div key={name} className="flex flex-wrap gap-x-2">
          <dt>
            <code>{`{${name}}`}</code>
          </dt>
          <dd>{hint}</dd>
        </div>
      ))}
    </dl>
  </details>
);
