import { Mail } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type EmailState, removeMyEmail, setMyEmail, setMyEmailPaused } from '../../../../contract/email.ts';
import { useApiMutation } from '../../api/query.ts';
import { useAction } from '../../api/use-action.ts';
import { useFocusFallback } from '../../hooks/use-focus-fallback.ts';
import { formatDateTime } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/feedback.tsx';
import { AlertDialog } from '../../ui/lazy-overlays.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { AddressForm } from './address-form.tsx';

const FAILED = 'Nothing was changed. Please try again.';

/** Where mail goes, with everything that a person can do about it. */
export const EmailAddress = ({ email }: { email: EmailState }) => {
  const focusFallback = useFocusFallback<HTMLDivElement>();
  return (
    <div {...focusFallback} tabIndex={-1} data-slot="email-address" className="grid gap-3">
      <h3 className="flex items-center gap-2 font-semibold">
        <Mail className="size-5" /> E-mail
      </h3>
      <Address email={email} />
      {email.address && email.address !== email.refused?.address ? <PauseBox isPaused={email.isPaused} /> : null}
    </div>
  );
};

const Address = ({ email }: { email: EmailState }) => {
  const { address, pending, refused, xAddress } = email;
  const [isChanging, setChanging] = useState(false);
  if (isChanging) return <AddressForm xAddress={xAddress} onClose={() => setChanging(false)} />;
  if (pending) return <Pending pending={pending} current={address} onChange={() => setChanging(true)} />;
  const refusal = refused ? <Refusal refused={refused} /> : null;
  if (address === null || address === refused?.address)
    return (
      <>
        {refusal ?? <Text>Enter your address to get notifications by e-mail. We send you a link to confirm it.</Text>}
        <AddressForm xAddress={xAddress} />
      </>
    );
  return (
    <>
      {refusal}
      <Text>
        E-mail goes to <Bold>{address}</Bold>
        {email.isFromX ? ', the address of your X account.' : '.'}
      </Text>
      {email.opensAccount || refusal ? null : (
        <Text>
          It does not open your account if you lose your other ways in, because its link was opened where you were not
          signed in. Check that it is yours, send another link, and open it in this browser.
        </Text>
      )}
      <Buttons>
        {email.opensAccount || refusal ? null : <SendLinkButton address={address} />}
        <Button variant="outline" size="sm" onClick={() => setChanging(true)}>
          Change
        </Button>
        <RemoveButton address={address} />
      </Buttons>
    </>
  );
};

const Text = ({ children }: { children: ReactNode }) => <p className="text-sm text-muted-foreground">{children}</p>;
const Bold = ({ children }: { children: ReactNode }) => (
  <strong className="font-medium wrap-anywhere text-foreground">{children}</strong>
);
const Buttons = ({ children }: { children: ReactNode }) => <div className="flex flex-wrap gap-2">{children}</div>;

const Refusal = ({ refused }: { refused: NonNullable<EmailState['refused']> }) => (
  <div role="alert" className="grid gap-1 rounded-control bg-warning-soft p-3 text-sm">
    <p>
      <Bold>{refused.address}</Bold> does not accept our mail, so we send none there. Check the address and enter it
      again.
    </p>
    <p className="wrap-anywhere text-muted-foreground">Its mail server said: {refused.reason}</p>
  </div>
);

interface PendingProps {
  pending: NonNullable<EmailState['pending']>;
  current: string | null;
  onChange: () => void;
}

const Pending = ({ pending, current, onChange }: PendingProps) => {
  const isExpired = Date.parse(pending.expiresAt) <= Date.now();
  return (
    <>
      <Text>
        {isExpired ? (
          <>
            The link that we sent to <Bold>{pending.address}</Bold> has expired.
          </>
        ) : (
          <>
            Open the link that we sent to <Bold>{pending.address}</Bold>. It works until{' '}
            {formatDateTime(pending.expiresAt)}. If it does not arrive, look into your spam folder.
          </>
        )}{' '}
        {current && current !== pending.address ? (
          <>
            Until you confirm it, e-mail goes to <Bold>{current}</Bold>.
          </>
        ) : null}
      </Text>
      <Buttons>
        <SendLinkButton address={pending.address} isUrgent={isExpired} />
        <Button variant="outline" size="sm" onClick={onChange}>
          Change
        </Button>
        {current && current !== pending.address ? (
          <KeepButton address={current} />
        ) : (
          <RemoveButton address={pending.address} />
        )}
      </Buttons>
    </>
  );
};

const SendLinkButton = ({ address, isUrgent = false }: { address: string; isUrgent?: boolean }) => {
  const toast = useToast();
  const setEmail = useApiMutation(setMyEmail);
  const { isBusy, run } = useAction();
  const send = async () => {
    const isSent = await run(
      () => setEmail({ body: { email: address } }),
      'The link could not be sent. Please try again.',
    );
    if (isSent) toast({ title: 'Link sent', description: `Look into the inbox of ${address}.` });
  };
  return (
    <Button variant={isUrgent ? 'primary' : 'outline'} size="sm" busy={isBusy} onClick={() => void send()}>
      {isBusy ? <Spinner /> : null} Send Another Link
    </Button>
  );
};

/** Entering the confirmed address again ends the wait for another one. */
const KeepButton = ({ address }: { address: string }) => {
  const setEmail = useApiMutation(setMyEmail);
  const { isBusy, run } = useAction();
  return (
    <Button
      variant="outline"
      size="sm"
      busy={isBusy}
      onClick={() => void run(() => setEmail({ body: { email: address } }), FAILED)}
    >
      Cancel
    </Button>
  );
};

const RemoveButton = ({ address }: { address: string }) => {
  const toast = useToast();
  const removeEmail = useApiMutation(removeMyEmail);
  const { isBusy, run } = useAction();
  const [isAsking, setAsking] = useState(false);
  const remove = async () => {
    if (await run(() => removeEmail(), FAILED)) toast({ title: 'Address removed' });
  };
  return (
    <>
      <Button variant="outline" size="sm" busy={isBusy} onClick={() => setAsking(true)}>
        Remove
      </Button>
      <AlertDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Remove this address?"
        text={`We delete ${address} and send you no more e-mail. Notifications still appear here.`}
        confirmLabel="Remove"
        onConfirm={() => void remove()}
      />
    </>
  );
};

const PauseBox = ({ isPaused }: { isPaused: boolean }) => {
  const setPaused = useApiMutation(setMyEmailPaused);
  const { isBusy, run } = useAction();
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 border-t border-border pt-3">
      <Text>
        {isPaused
          ? 'All e-mail is off. Your choices stay and apply again when you turn it on.'
          : 'You choose above what we send. You can also turn all e-mail off.'}
      </Text>
      <Button
        variant={isPaused ? 'primary' : 'outline'}
        size="sm"
        busy={isBusy}
        onClick={() => void run(() => setPaused({ body: { isPaused: !isPaused } }), FAILED)}
      >
        {isPaused ? 'Turn E-mail On' : 'Turn All E-mail Off'}
      </Button>
    </div>
  );
};
