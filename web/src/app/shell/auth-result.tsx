import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useToast } from '../../ui/toast/toast-context.ts';

const RESULTS: Record<string, { title: string; description: string }> = {
  denied: { title: 'Sign-in cancelled', description: 'You did not allow the sign-in with X. Nothing was changed.' },
  error: { title: 'Sign-in failed', description: 'Signing in with X did not work. Please try again.' },
  suspended: { title: 'Sign-in refused', description: 'Your account has been suspended' },
};

/** Tells how a sign-in ended that came back refused (`?auth=…`), once. */
export const AuthResult = () => {
  const [params, setParams] = useSearchParams();
  const toast = useToast();
  const result = params.get('auth');
  useEffect(() => {
    if (!result) return;
    const message = RESULTS[result];
    if (message) toast({ ...message, variant: 'destructive' });
    setParams(
      (old) => {
        old.delete('auth');
        return old;
      },
      { replace: true, preventScrollReset: true },
    );
  }, [result, toast, setParams]);
  return null;
};
