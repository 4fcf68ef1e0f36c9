import { CircleCheck, Link2Off, Mail, MailCheck } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { resendEmailLink, verifyEmail } from '../../../contract/email.ts';
import { t } from '../../../contract/i18n.ts';
import { ApiError } from '../api/client.ts';
import { useApiMutation } from '../api/query.ts';
import { useAction } from '../api/use-action.ts';
import { LinkPage, SettingsLink } from '../features/notification-settings/link-page.tsx';
import { Button } from '../ui/button.tsx';
import { Spinner } from '../ui/feedback.tsx';
import { Rich } from '../ui/rich.tsx';

type Refusal = 'expired' | 'used' | 'invalid';

type Outcome =
  | { state: 'confirmed'; address: string; opensAccount: boolean }
  | { state: 'resent'; address: string }
  | { state: Refusal; message: string };

const REFUSALS: Readonly<Record<string, Refusal>> = {
  link_expired: 'expired',
  link_used: 'used',
  link_invalid: 'invalid',
  validation_failed: 'invalid',
};

/** What a refusal of the server says about the link; undefined if the call itself failed. */
const toOutcome = (error: unknown): Outcome | undefined => {
  const reply = error instanceof ApiError ? error.reply : undefined;
  const state = reply && REFUSALS[reply.code];
  return state && { state, message: reply.message };
};

/** The page of the link in a confirmation mail. Only its button confirms: mail programs open links by themselves. */
export const VerifyEmailPage = () => {
  const [query] = useSearchParams();
  const token = query.get('token') ?? '';
  const verify = useApiMutation(verifyEmail);
  const resend = useApiMutation(resendEmailLink);
  const { isBusy, run } = useAction();
  const [outcome, setOutcome] = useState<Outcome>();

  const call = (request: () => Promise<Outcome>, failure: string) =>
    run(async () => {
      try {
        setOutcome(await request());
      } catch (error) {
        const refused = toOutcome(error);
        if (refused === undefined) throw error;
        setOutcome(refused);
      }
    }, failure);

  const handleConfirm = () =>
    call(async () => ({ state: 'confirmed', ...(await verify({ body: { token } })) }), t('mailLinks.confirmFailed'));
  const handleResend = () =>
    call(async () => ({ state: 'resent', ...(await resend({ body: { token } })) }), t('mailLinks.resendFailed'));

  if (token === '')
    return (
      <LinkPage icon={Link2Off} title={t('mailLinks.incomplete')} text={t('mailLinks.incompleteText')}>
        <SettingsLink />
      </LinkPage>
    );
  switch (outcome?.state) {
    case undefined:
      return (
        <LinkPage icon={Mail} title={t('mailLinks.confirmTitle')} text={t('mailLinks.confirmText')}>
          <Button size="lg" busy={isBusy} onClick={() => void handleConfirm()}>
            {isBusy ? <Spinner /> : null} {t('mailLinks.confirm')}
          </Button>
        </LinkPage>
      );
    case 'confirmed':
      return (
        <LinkPage
          icon={CircleCheck}
          title={t('mailLinks.confirmed')}
          text={
            <>
              <Rich text={t('mailLinks.confirmedText')} address={() => <Address>{outcome.address}</Address>} />
              {outcome.opensAccount ? null : ` ${t('mailLinks.opensNothing')}`}
            </>
          }
        >
          <SettingsLink />
        </LinkPage>
      );
    case 'resent':
      return (
        <LinkPage
          icon={MailCheck}
          title={t('mailLinks.resent')}
          text={<Rich text={t('mailLinks.resentText')} address={() => <Address>{outcome.address}</Address>} />}
        />
      );
    case 'expired':
      return (
        <LinkPage icon={Link2Off} title={t('mailLinks.expired')} text={t('mailLinks.expiredText')}>
          <Button busy={isBusy} onClick={() => void handleResend()}>
            {isBusy ? <Spinner /> : null} {t('mailLinks.sendAnother')}
          </Button>
        </LinkPage>
      );
    case 'used':
      return (
        <LinkPage icon={CircleCheck} title={t('mailLinks.used')} text={t('mailLinks.usedText')}>
          <SettingsLink />
        </LinkPage>
      );
    case 'invalid':
      return (
        <LinkPage icon={Link2Off} title={t('mailLinks.doesNotWork')} text={outcome.message}>
          <SettingsLink />
        </LinkPage>
      );
  }
};

const Address = ({ children }: { children: string }) => <bdi className="wrap-anywhere text-foreground">{children}</bdi>;
