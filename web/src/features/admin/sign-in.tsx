import { ShieldAlert } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router-dom';
import { signInAdmin } from '../../../../contract/auth.ts';
import { ApiError, apiRequest } from '../../api/client.ts';
import { useReplaceSession } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, Spinner } from '../../ui/feedback.tsx';
import { Field, Input } from '../../ui/form-controls.tsx';
import { Dialog } from '../../ui/lazy-overlays.tsx';
import { PasswordInput } from './password-input.tsx';

/** What anybody but an administrator sees. */
export const AdminGate = () => {
  const [isLoginOpen, setLoginOpen] = useState(false);
  return (
    <>
      <EmptyState
        icon={ShieldAlert}
        heading="h1"
        title="Admin Access Required"
        text="This area is restricted to administrators only."
      >
        <Button onClick={() => setLoginOpen(true)}>Admin Login</Button>
        <Button asChild variant="outline">
          <Link to="/">Return to Homepage</Link>
        </Button>
      </EmptyState>
      <AdminLoginDialog open={isLoginOpen} onOpenChange={setLoginOpen} />
    </>
  );
};

const failureOf = (error: unknown): string =>
  error instanceof ApiError ? (error.reply?.message ?? 'Invalid admin credentials') : 'Login failed. Please try again.';

/** Signs an administrator in with username and password; the answer becomes the current user. */
export const AdminLoginDialog = ({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) => {
  const replaceSession = useReplaceSession();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const handleSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setFailure(undefined);
    try {
      const body = { username: String(form.get('username')), password: String(form.get('password')) };
      const user = await apiRequest(signInAdmin, { body });
      await replaceSession(user);
      onOpenChange(false);
    } catch (error) {
      setFailure(failureOf(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Administrator Login"
      description="Admin access is restricted to authorized personnel only."
      className="sm:max-w-md"
    >
      <form onSubmit={handleSubmit} className="grid gap-4">
        <Field label="Username" required>
          <Input name="username" autoComplete="username" autoCapitalize="none" spellCheck={false} required />
        </Field>
        <Field label="Password" required>
          <PasswordInput name="password" autoComplete="current-password" required />
        </Field>
        {failure ? (
          <p role="alert" className="text-sm text-destructive">
            {failure}
          </p>
        ) : null}
        <Button type="submit" busy={isBusy}>
          {isBusy ? (
            <>
              <Spinner /> Signing In...
            </>
          ) : (
            'Sign In as Admin'
          )}
        </Button>
      </form>
    </Dialog>
  );
};
