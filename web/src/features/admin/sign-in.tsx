import { Eye, EyeOff, ShieldAlert } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { signInAdmin } from '../../../../contract/auth.ts';
import { t } from '../../../../contract/i18n.ts';
import { ApiError, apiRequest } from '../../api/client.ts';
import { useReplaceSession } from '../../api/session.ts';
import { useApiForm } from '../../api/use-api-form.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { EmptyState, Spinner } from '../../ui/feedback.tsx';
import { Field, FormError, Input } from '../../ui/form-controls.tsx';
import { Dialog } from '../../ui/lazy-overlays.tsx';
import { PasskeySignIn } from '../passkeys/passkey-sign-in.tsx';

export const AdminGate = () => {
  const [isLoginOpen, setLoginOpen] = useState(false);
  return (
    <>
      <EmptyState icon={ShieldAlert} heading="h1" title={t('admin.accessRequired')} text={t('admin.accessText')}>
        <Button onClick={() => setLoginOpen(true)}>{t('admin.adminLogin')}</Button>
        <LinkButton to="/" variant="outline">
          {t('admin.returnHome')}
        </LinkButton>
      </EmptyState>
      <Dialog
        open={isLoginOpen}
        onOpenChange={setLoginOpen}
        title={t('admin.loginTitle')}
        description={t('admin.loginText')}
        className="sm:max-w-md"
      >
        <AdminSignInForm onSignedIn={() => setLoginOpen(false)} />
        <PasskeySignIn onSignedIn={() => location.reload()} />
      </Dialog>
    </>
  );
};

const toFailure = (error: unknown): string =>
  error instanceof ApiError ? (error.reply?.message ?? t('admin.invalidCredentials')) : t('admin.loginFailed');

const AdminSignInForm = ({ onSignedIn }: { onSignedIn: () => void }) => {
  const replaceSession = useReplaceSession();
  const apiForm = useApiForm({ endpoint: signInAdmin, saved: { username: '', password: '' } });
  const { form, submitRef, isSending } = apiForm;
  const { errors } = form.formState;

  const handleSubmit = apiForm.createSubmit({
    send: (body) => apiRequest(signInAdmin, { body }),
    onSent: async (user) => {
      await replaceSession(user);
      onSignedIn();
    },
    onRefused: (error) => apiForm.setFailure(toFailure(error)),
  });

  return (
    <form onSubmit={handleSubmit} className="grid gap-4">
      <Field label={t('admin.username')} error={errors.username?.message}>
        <Input
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          {...form.register('username')}
        />
      </Field>
      <Field label={t('admin.password')} error={errors.password?.message}>
        <PasswordInput autoComplete="current-password" required {...form.register('password')} />
      </Field>
      <FormError>{apiForm.failure}</FormError>
      <Button ref={submitRef} type="submit" busy={isSending}>
        {isSending ? (
          <>
            <Spinner /> {t('admin.signingIn')}
          </>
        ) : (
          t('admin.signInAsAdmin')
        )}
      </Button>
    </form>
  );
};

export const PasswordInput = (props: Omit<ComponentProps<'input'>, 'type'>) => {
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <div className="relative">
      <Input {...props} type={isShown ? 'text' : 'password'} className="pe-11" />
      <button
        type="button"
        aria-label={t('admin.showPassword')}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
        className="absolute inset-y-0 end-0 flex w-11 items-center justify-center rounded-control text-muted-foreground hover:text-foreground"
      >
        <Icon className="size-4" />
      </button>
    </div>
  );
};
