import { CircleCheck, Link2Off, Mail, MailCheck } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { resendEmailLink, verifyEmail } from '../../../contract/email.ts';
import { ApiError } from '../api/client.ts';
import { useApiMutation } from '../api/query.ts';
import { useAction } from '../api/use-action.ts';
import { LinkPage, SettingsLink } from '../features/notification-settings/link-page.tsx';
import { Button } from '../ui/button.tsx';
import { Spinner } from '../ui/feedback.tsx';

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
    call(
      async () => ({ state: 'confirmed', ...(await verify({ body: { token } })) }),
      'Your address could not be confirmed. Please try again.',
    );
  const handleResend = () =>
    call(
      async () => ({ state: 'resent', ...(await resend({ body: { token } })) }),
      'The link could not be sent. Please try again.',
    );

  if (token === '')
    return (
      <LinkPage icon={Link2Off} title="This link is not complete" text="Open it from the mail once more, all of it.">
        <SettingsLink />
      </LinkPage>
    );
  switch (outcome?.state) {
    case undefined:
      return (
        <LinkPage icon={Mail} title="Confirm your address" text="Then your notifications also arrive by e-mail.">
          <Button size="lg" busy={isBusy} onClick={() => void handleConfirm()}>
            {isBusy ? <Spinner /> : null} Confirm This Address
          </Button>
        </LinkPage>
      );
    case 'confirmed':
      return (
        <LinkPage
          icon={CircleCheck}
          title="Your address is confirmed"
          text={
            <>
              Your notifications go to <Address>{outcome.address}</Address> from now on.
              {outcome.opensAccount
                ? null
                : ' You are not signed in here, so it does not open your account yet: your settings tell what to do.'}
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
          title="We sent another link"
          text={
            <>
              Look into the inbox of <Address>{outcome.address}</Address>, and into its spam folder. Links sent before
              no longer work.
            </>
          }
        />
      );
    case 'expired':
      return (
        <LinkPage icon={Link2Off} title="This link has expired" text="We can send another one to the same address.">
          <Button busy={isBusy} onClick={() => void handleResend()}>
            {isBusy ? <Spinner /> : null} Send Another Link
          </Button>
        </LinkPage>
      );
    case 'used':
      return (
        <LinkPage icon={CircleCheck} title="This link was used already" text="Your address is confirmed.">
          <SettingsLink />
        </LinkPage>
      );
    case 'invalid':
      return (
        <LinkPage icon={Link2Off} title="This link does not work" text={outcome.message}>
          <SettingsLink />
        </LinkPage>
      );
  }
};

const Address = ({ children }: { children: string }) => <bdi className="wrap-anywhere text-foreground">{children}</bdi>;
