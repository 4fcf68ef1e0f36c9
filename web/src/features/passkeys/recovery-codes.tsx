import { useState } from 'react';
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
        Recovery codes
      </h2>
      <p className="text-sm text-muted-foreground">
        A code signs you in once when you reach neither X nor a passkey. Print the codes, or keep them where only you
        can read them.
      </p>
      <Query of={query} failure="Failed to load your codes" size="line" loading={<SkeletonRegion boxes={['h-12']} />}>
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
  const handleMake = () =>
    void run(async () => setCodes((await make({})).codes), 'No codes were made. Please try again.');
  const handleDelete = async () => {
    const isDone = await run(() => remove({}), 'The codes could not be deleted. Please try again.');
    if (isDone) toast({ title: 'Codes deleted', description: 'Your other devices were signed out.' });
  };
  return (
    <>
      <p className="text-sm font-medium">
        {createdAt ? `${left} of ${LIMITS.recoveryCodes} codes are left, made on ${formatDate(createdAt)}.` : null}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" busy={isBusy} onClick={() => (createdAt ? setAsking('make') : handleMake())}>
          {isBusy ? <Spinner /> : null} {createdAt ? 'Make new codes' : 'Make recovery codes'}
        </Button>
        {createdAt ? (
          <Button variant="outline" onClick={() => setAsking('delete')}>
            Delete codes
          </Button>
        ) : null}
      </div>
      <AlertDialog
        open={asking === 'make'}
        onOpenChange={handleOpenChange}
        title="Make new codes?"
        text="Those of before no longer work, and your other devices are signed out."
        confirmLabel="Make new codes"
        onConfirm={handleMake}
      />
      <AlertDialog
        open={asking === 'delete'}
        onOpenChange={handleOpenChange}
        title="Delete the codes?"
        text="None of them signs you in any longer, and your other devices are signed out."
        confirmLabel="Delete"
        onConfirm={() => void handleDelete()}
      />
      <Dialog
        open={codes !== undefined}
        onOpenChange={() => setCodes(undefined)}
        title="Your recovery codes"
        description="We show them only now. Each works once, with your handle."
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
      <ul className="grid gap-2 rounded-control bg-muted p-4 font-mono sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code} className="whitespace-nowrap">
            {code}
          </li>
        ))}
      </ul>
      <div className="dialog-footer">
        <Button
          variant="outline"
          onClick={() => saveText('recovery-codes.txt', `${siteName}: recovery codes\n\n${codes.join('\n')}\n`)}
        >
          Save as a file
        </Button>
        <Button onClick={onDone}>I have saved them</Button>
      </div>
    </>
  );
};
