import { CircleCheck, KeyRound, Link2Off } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { pluralize } from '../../../contract/plural.ts';
import { recoverByCode, recoverByLink, requestRecovery } from '../../../contract/recovery.ts';
import { ApiError, apiRequest, getErrorMessage } from '../api/client.ts';
import { useApiForm } from '../api/use-api-form.ts';
import { LinkPage } from '../features/notification-settings/link-page.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Spinner } from '../ui/feedback.tsx';
import { Field, FormError, Input } from '../ui/form-controls.tsx';

/** Where one makes the next way in. It loads a page: the session is another one. */
const enter = (): void => location.assign('/preferences#passkeys');

/** Leads a banned person to the reasons. Returns what to say otherwise. */
const explain = (error: unknown): string | undefined => {
  const banPath = error instanceof ApiError ? error.reply?.fields?.banPath : undefined;
  if (!banPath) return getErrorMessage(error, 'You could not be signed in. Please try again.');
  location.assign(banPath);
  return undefined;
};

/** The way back in for who reaches neither X nor a passkey: the page of a link, or of what leads to one. */
export const RecoverPage = () => {
  const { hash, search } = useLocation();
  // links of the release before have a query
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? new URLSearchParams(search).get('token');
  return token ? <FollowLink token={token} /> : <Recover />;
};

/** Only its button signs in: mail programs open links by themselves. */
const FollowLink = ({ token }: { token: string }) => {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const handleEnter = async () => {
    setBusy(true);
    try {
      await apiRequest(recoverByLink, { body: { token } });
      enter();
    } catch (error) {
      setFailure(explain(error));
      setBusy(false);
    }
  };
  if (failure !== undefined)
    return (
      <LinkPage icon={Link2Off} title="This link does not let you in" text={failure}>
        <LinkButton to="/recover">Get another link</LinkButton>
      </LinkPage>
    );
  return (
    <LinkPage
      icon={KeyRound}
      title="Sign in with this link"
      text="It works once, and signs your other devices out. Then add a passkey, so that you need no link again."
    >
      <Button size="lg" busy={isBusy} onClick={() => void handleEnter()}>
        {isBusy ? <Spinner /> : null} Sign In
      </Button>
    </LinkPage>
  );
};

const Recover = () => {
  const [minutes, setMinutes] = useState<number>();
  if (minutes !== undefined)
    return (
      <LinkPage
        icon={CircleCheck}
        title="Look into your inbox"
        text={`If an account has this address, a link is on its way there. It works once, for ${pluralize(minutes, 'minute')}. Nothing arrives? Look into your spam folder, or use a recovery code.`}
      >
        <Button variant="outline" onClick={() => setMinutes(undefined)}>
          Back
        </Button>
      </LinkPage>
    );
  return (
    <div className="container-page grid max-w-xl gap-6 py-8 md:py-12">
      <div className="grid gap-2">
        <h1 className="page-heading">Get back into your account</h1>
        <p className="text-muted-foreground">For when you can use neither X nor a passkey.</p>
      </div>
      <Card>
        <AddressForm onSent={setMinutes} />
      </Card>
      <Card>
        <CodeForm />
      </Card>
      <p className="text-sm text-muted-foreground">
        You have neither? Write to us: we can help once we know that it is you.
      </p>
      <LinkButton to="/contact" variant="outline" className="w-fit">
        Contact us
      </LinkButton>
    </div>
  );
};

const AddressForm = ({ onSent }: { onSent: (minutes: number) => void }) => {
  const apiForm = useApiForm({ endpoint: requestRecovery, saved: { email: '' } });
  const { form, submitRef, isSending, failure } = apiForm;
  const problem = form.formState.errors.email?.message;
  const submit = apiForm.createSubmit({
    send: (body) => apiRequest(requestRecovery, { body }),
    onSent: ({ minutes }) => onSent(minutes),
    onRefused: (error) => apiForm.setFailure(getErrorMessage(error, 'The link was not sent. Please try again.')),
  });
  return (
    <form noValidate onSubmit={submit} aria-labelledby="by-mail" className="grid gap-4">
      <h2 id="by-mail" className="card-heading">
        With a link by e-mail
      </h2>
      <Field label="Your confirmed e-mail address" required error={problem}>
        <Input type="email" inputMode="email" autoComplete="email" disabled={isSending} {...form.register('email')} />
      </Field>
      <FormError>{problem === failure ? null : failure}</FormError>
      <Button ref={submitRef} type="submit" busy={isSending} className="w-fit">
        {isSending ? <Spinner /> : null} Send Link
      </Button>
    </form>
  );
};

const CodeForm = () => {
  const apiForm = useApiForm({ endpoint: recoverByCode, saved: { username: '', code: '' } });
  const { form, submitRef, isSending, failure } = apiForm;
  const { errors } = form.formState;
  const submit = apiForm.createSubmit({
    send: (body) => apiRequest(recoverByCode, { body }),
    onSent: enter,
    onRefused: (error) => apiForm.setFailure(explain(error) ?? ''),
  });
  return (
    <form noValidate onSubmit={submit} aria-labelledby="by-code" className="grid gap-4">
      <h2 id="by-code" className="card-heading">
        With a recovery code
      </h2>
      <Field label="Handle" required error={errors.username?.message} hint="Such as @anna">
        <Input
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          disabled={isSending}
          {...form.register('username')}
        />
      </Field>
      <Field label="Recovery code" required error={errors.code?.message} hint="It looks like ABCD-2345-EFGH-6789">
        <Input
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          disabled={isSending}
          {...form.register('code')}
        />
      </Field>
      <FormError>{failure}</FormError>
      <Button ref={submitRef} type="submit" busy={isSending} className="w-fit">
        {isSending ? <Spinner /> : null} Sign In
      </Button>
    </form>
  );
};
