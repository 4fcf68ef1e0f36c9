import { Mail } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type EmailState, removeMyEmail, setMyEmail, setMyEmailPaused } from '../../../../contract/email.ts';
import { t } from '../../../../contract/i18n.ts';
import { useApiMutation } from '../../api/query.ts';
import { useAction } from '../../api/use-action.ts';
import { useFocusFallback } from '../../hooks/use-focus-fallback.ts';
import { formatDateTime } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/feedback.tsx';
import { AlertDialog } from '../../ui/lazy-overlays.tsx';
import { Rich } from '../../ui/rich.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { AddressForm } from './address-form.tsx';

/** Where mail goes, with everything that a person can do about it. */
export const EmailAddress = ({ email }: { email: EmailState }) => {
  const focusFallback = useFocusFallback<HTMLDivElement>();
  return (
    <div {...focusFallback} tabIndex={-1} data-slot="email-address" className="grid gap-3">
      <h3 className="flex items-center gap-2 font-semibold">
        <Mail className="size-5" /> {t('notifications.channel_email')}
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
        {refusal ?? <Text>{t('notifications.enterAddress')}</Text>}
        <AddressForm xAddress={xAddress} />
      </>
    );
  return (
    <>
      {refusal}
      <Text>
        <Rich
          text={t(email.isFromX ? 'notifications.goesToX' : 'notifications.goesTo')}
          address={() => <Bold>{address}</Bold>}
        />
      </Text>
      {email.opensAccount || refusal ? null : <Text>{t('notifications.opensNothing')}</Text>}
      <Buttons>
        {email.opensAccount || refusal ? null : <SendLinkButton address={address} />}
        <Button variant="outline" size="sm" onClick={() => setChanging(true)}>
          {t('notifications.change')}
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
      <Rich text={t('notifications.refused')} address={() => <Bold>{refused.address}</Bold>} />
    </p>
    <p className="wrap-anywhere text-muted-foreground">{t('notifications.serverSaid', { reason: refused.reason })}</p>
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
          <Rich text={t('notifications.linkExpired')} address={() => <Bold>{pending.address}</Bold>} />
        ) : (
          <Rich
            text={t('notifications.linkOpen', { time: formatDateTime(pending.expiresAt) })}
            address={() => <Bold>{pending.address}</Bold>}
          />
        )}{' '}
        {current && current !== pending.address ? (
          <Rich text={t('notifications.untilConfirmed')} address={() => <Bold>{current}</Bold>} />
        ) : null}
      </Text>
      <Buttons>
        <SendLinkButton address={pending.address} isUrgent={isExpired} />
        <Button variant="outline" size="sm" onClick={onChange}>
          {t('notifications.change')}
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
    const isSent = await run(() => setEmail({ body: { email: address } }), t('notifications.linkFailed'));
    if (isSent)
      toast({ title: t('notifications.linkSent'), description: t('notifications.lookIntoInbox', { address }) });
  };
  return (
    <Button variant={isUrgent ? 'primary' : 'outline'} size="sm" busy={isBusy} onClick={() => void send()}>
      {isBusy ? <Spinner /> : null} {t('notifications.sendAnother')}
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
      onClick={() => void run(() => setEmail({ body: { email: address } }), t('notifications.unchanged'))}
    >
      {t('shell.cancel')}
    </Button>
  );
};

const RemoveButton = ({ address }: { address: string }) => {
  const toast = useToast();
  const removeEmail = useApiMutation(removeMyEmail);
  const { isBusy, run } = useAction();
  const [isAsking, setAsking] = useState(false);
  const remove = async () => {
    if (await run(() => removeEmail(), t('notifications.unchanged'))) toast({ title: t('notifications.removed') });
  };
  return (
    <>
      <Button variant="outline" size="sm" busy={isBusy} onClick={() => setAsking(true)}>
        {t('notifications.remove')}
      </Button>
      <AlertDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('notifications.removeQuestion')}
        text={t('notifications.removeText', { address })}
        confirmLabel={t('notifications.remove')}
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
      <Text>{t(isPaused ? 'notifications.emailOff' : 'notifications.emailOn')}</Text>
      <Button
        variant={isPaused ? 'primary' : 'outline'}
        size="sm"
        busy={isBusy}
        onClick={() => void run(() => setPaused({ body: { isPaused: !isPaused } }), t('notifications.unchanged'))}
      >
        {t(isPaused ? 'notifications.turnOn' : 'notifications.turnOff')}
      </Button>
    </div>
  );
};
