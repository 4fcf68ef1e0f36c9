import { CircleCheck, KeyRound, Link2Off } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { t } from '../../../contract/i18n.ts';
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
  if (!banPath) return getErrorMessage(error, t('recover.notSignedIn'));
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
      <LinkPage icon={Link2Off} title={t('recover.linkRefused')} text={failure}>
        <LinkButton to="/recover">{t('recover.anotherLink')}</LinkButton>
      </LinkPage>
    );
  return (
    <LinkPage icon={KeyRound} title={t('recover.withLink')} text={t('recover.withLinkText')}>
      <Button size="lg" busy={isBusy} onClick={() => void handleEnter()}>
        {isBusy ? <Spinner /> : null} {t('recover.signIn')}
      </Button>
    </LinkPage>
  );
};

const Recover = () => {
  const [minutes, setMinutes] = useState<number>();
  if (minutes !== undefined)
    return (
      <LinkPage icon={CircleCheck} title={t('recover.inbox')} text={t('recover.inboxText', { count: minutes })}>
        <Button variant="outline" onClick={() => setMinutes(undefined)}>
          {t('recover.back')}
        </Button>
      </LinkPage>
    );
  return (
    <div className="container-page grid max-w-xl gap-6 py-8 md:py-12">
      <div className="grid gap-2">
        <h1 className="page-heading">{t('recover.title')}</h1>
        <p className="text-muted-foreground">{t('recover.intro')}</p>
      </div>
      <Card>
        <AddressForm onSent={setMinutes} />
      </Card>
      <Card>
        <CodeForm />
      </Card>
      <p className="text-sm text-muted-foreground">{t('recover.neither')}</p>
      <LinkButton to="/contact" variant="outline" className="w-fit">
        {t('recover.contact')}
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
    onRefused: (error) => apiForm.setFailure(getErrorMessage(error, t('recover.sendFailed'))),
  });
  return (
    <form noValidate onSubmit={submit} aria-labelledby="by-mail" className="grid gap-4">
      <h2 id="by-mail" className="card-heading">
        {t('recover.byMail')}
      </h2>
      <Field label={t('recover.address')} required error={problem}>
        <Input type="email" inputMode="email" autoComplete="email" disabled={isSending} {...form.register('email')} />
      </Field>
      <FormError>{problem === failure ? null : failure}</FormError>
      <Button ref={submitRef} type="submit" busy={isSending} className="w-fit">
        {isSending ? <Spinner /> : null} {t('recover.sendLink')}
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
        {t('recover.byCode')}
      </h2>
      <Field label={t('recover.handle')} required error={errors.username?.message} hint={t('recover.handleHint')}>
        <Input
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          disabled={isSending}
          {...form.register('username')}
        />
      </Field>
      <Field label={t('recover.code')} required error={errors.code?.message} hint={t('recover.codeHint')}>
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
        {isSending ? <Spinner /> : null} {t('recover.signIn')}
      </Button>
    </form>
  );
};
