import { useState } from 'react';
import { t } from '../../../../contract/i18n.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import {
  deleteRecoveryCodes,
  getRecoveryCodes,
  makeRecoveryCodes,
  type RecoveryCodes as State,
} from '../../../../contract/recovery.ts';
import { useApiMutation, useApiQuery } from '../../api/query.ts';
import { useAction } from '../../api/use-action.ts';
import { useFocusFallback } from '../../hooks/use-focus-fallback.ts';
import { formatDate } from '../../lib/format.ts';
import { saveText } from '../../lib/save-file.ts';
import { useSiteConfig } from '../../lib/site-config.tsx';
import { Button } from '../../ui/button.tsx';
import { SkeletonRegion, Spinner } from '../../ui/feedback.tsx';
import { AlertDialog, Dialog } from '../../ui/lazy-overlays.tsx';
import { Query } from '../../ui/query.tsx';
import { useToast } from '../../ui/toast/toast.tsx';

/** Codes for who reaches neither X nor a passkey. */
export const RecoveryCodes = () => {
  const query = useApiQuery(getRecoveryCodes, {});
  const focusFallback = useFocusFallback<HTMLElement>();
  return (
    <section {...focusFallback} tabIndex={-1} aria-labelledby="recovery-codes" className="card grid gap-3">
      <h2 id="recovery-codes" className="card-heading">
        {t('recovery.title')}
      </h2>
      <p className="text-sm text-muted-foreground">{t('recovery.intro')}</p>
      <Query of={query} failure={t('recovery.loadFailed')} size="line" loading={<SkeletonRegion boxes={['h-12']} />}>
        {(state) => <Codes state={state} />}
      </Query>
    </section>
  );
};

const Codes = ({ state: { left, createdAt } }: { state: State }) => {
  const toast = useToast();
  const make = useApiMutation(makeRecoveryCodes);
  const remove = useApiMutation(deleteRecoveryCodes);
  const { isBusy, run } = useAction();
  const [codes, setCodes] = useState<string[]>();
  const [asking, setAsking] = useState<'make' | 'delete'>();
  const handleOpenChange = () => setAsking(undefined);
  const handleMake = () => void run(async () => setCodes((await make({})).codes), t('recovery.makeFailed'));
  const handleDelete = async () => {
    const isDone = await run(() => remove({}), t('recovery.deleteFailed'));
    if (isDone) toast({ title: t('recovery.deleted'), description: t('recovery.signedOut') });
  };
  return (
    <>
      <p className="text-sm font-medium">
        {createdAt ? t('recovery.left', { left, all: LIMITS.recoveryCodes, date: formatDate(createdAt) }) : null}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" busy={isBusy} onClick={() => (createdAt ? setAsking('make') : handleMake())}>
          {isBusy ? <Spinner /> : null} {t(createdAt ? 'recovery.makeNew' : 'recovery.make')}
        </Button>
        {createdAt ? (
          <Button variant="outline" onClick={() => setAsking('delete')}>
            {t('recovery.deleteCodes')}
          </Button>
        ) : null}
      </div>
      <AlertDialog
        open={asking === 'make'}
        onOpenChange={handleOpenChange}
        title={t('recovery.makeQuestion')}
        text={t('recovery.makeText')}
        confirmLabel={t('recovery.makeNew')}
        onConfirm={handleMake}
      />
      <AlertDialog
        open={asking === 'delete'}
        onOpenChange={handleOpenChange}
        title={t('recovery.deleteQuestion')}
        text={t('recovery.deleteText')}
        confirmLabel={t('recovery.delete')}
        onConfirm={() => void handleDelete()}
      />
      <Dialog
        open={codes !== undefined}
        onOpenChange={() => setCodes(undefined)}
        title={t('recovery.yours')}
        description={t('recovery.yoursText')}
        className="sm:max-w-md"
      >
        <NewCodes codes={codes ?? []} onDone={() => setCodes(undefined)} />
      </Dialog>
    </>
  );
};

const NewCodes = ({ codes, onDone }: { codes: string[]; onDone: () => void }) => {
  const { siteName } = useSiteConfig();
  return (
    <>
      <ul className="grid gap-2 rounded-control bg-muted p-4 font-mono">
        {codes.map((code) => (
          <li key={code} className="whitespace-nowrap">
            {code}
          </li>
        ))}
      </ul>
      <div className="dialog-footer">
        <Button
          variant="outline"
          onClick={() =>
            saveText('recovery-codes.txt', `${t('recovery.file', { site: siteName })}\n\n${codes.join('\n')}\n`)
          }
        >
          {t('recovery.saveFile')}
        </Button>
        <Button onClick={onDone}>{t('recovery.haveSaved')}</Button>
      </div>
    </>
  );
};
