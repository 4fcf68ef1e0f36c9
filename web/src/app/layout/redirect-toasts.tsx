import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useToast } from '../../ui/toast/toast.tsx';

const SIGN_IN_RESULTS: Record<string, { title: string; description: string }> = {
  denied: { title: 'Sign-in cancelled', description: 'You did not allow the sign-in with X. Nothing was changed.' },
  error: { title: 'Sign-in failed', description: 'Signing in with X did not work. Please try again.' },
  suspended: { title: 'Sign-in refused', description: 'Your account has been suspended' },
};

export const AuthResult = () => {
  const [params, setParams] = useSearchParams();
  const toast = useToast();
  const result = params.get('auth');
  useEffect(() => {
    if (!result) return;
    const message = SIGN_IN_RESULTS[result];
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

const X_RESULTS: Record<string, { title: string; description: string }> = {
  denied: { title: 'Not connected', description: 'You did not allow posting to X. Nothing was changed.' },
  error: { title: 'Not connected', description: 'X did not answer as it should. Please try again.' },
  scopes: { title: 'Not connected', description: 'X did not grant everything that posting needs. Please try again.' },
  'other-account': {
    title: 'Not connected',
    description: 'That was another X account than the one you are signed in with here.',
  },
  'signed-out': { title: 'Please log in', description: 'Sign in with X before you connect your account for posting.' },
};

export const XResult = () => {
  const [params, setParams] = useSearchParams();
  const toast = useToast();
  const result = params.get('x');
  useEffect(() => {
    if (!result) return;
    const failure = X_RESULTS[result];
    if (failure) toast({ ...failure, variant: 'destructive' });
    if (result === 'connected')
      toast({
        title: 'X connected',
        description: 'You decide what is posted. If a form waits in another tab, go on there.',
      });
    setParams(
      (old) => {
        old.delete('x');
        return old;
      },
      { replace: true, preventScrollReset: true },
    );
  }, [result, toast, setParams]);
  return null;
};
