import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { formatDateTime } from '../../lib/format.ts';
import { useToast } from '../../ui/toast/toast.tsx';
import type { ToastMessage } from '../../ui/toast/toast-message.ts';

const failure = (title: string, description: string): ToastMessage => ({ title, description, variant: 'destructive' });

/** The toast of each result that a redirect from X adds to the address, by parameter. */
const TOASTS: Record<string, Record<string, ToastMessage>> = {
  auth: {
    denied: failure('Sign-in cancelled', 'You did not allow the sign-in with X. Nothing was changed.'),
    error: failure('Sign-in failed', 'Signing in with X did not work. Please try again.'),
    'other-browser': failure(
      'Sign-in failed',
      'It began in another browser, or this one blocks cookies. Allow cookies for this site, then sign in here again.',
    ),
    'x-suspended': failure('Sign-in refused', 'X has suspended your X account. Ask X for help, then try again.'),
    suspended: failure('Sign-in refused', 'Your account has been suspended'),
  },
  x: {
    connected: {
      title: 'X connected',
      description: 'You decide what is posted. If a form waits in another tab, go on there.',
    },
    denied: failure('Not connected', 'You did not allow posting to X. Nothing was changed.'),
    error: failure('Not connected', 'X did not answer as it should. Please try again.'),
    scopes: failure('Not connected', 'X did not grant everything that posting needs. Please try again.'),
    'other-account': failure('Not connected', 'That was another X account than the one you are signed in with here.'),
    suspended: failure('Not connected', 'Your account is suspended'),
    'signed-out': failure('Please sign in', 'Sign in with X before you connect your account for posting.'),
  },
};

/** Shows the result of a redirect from X and removes it from the address. A separate chunk, as it is rarely needed. */
export const RedirectToast = ({ parameter }: { parameter: string }) => {
  const [params, setParams] = useSearchParams();
  const toast = useToast();
  const result = params.get(parameter);
  // of a user who was deleted while suspended
  const until = parameter === 'auth' && result === 'suspended' ? params.get('until') : null;
  useEffect(() => {
    if (!result) return;
    const message = TOASTS[parameter]?.[result];
    if (until && !Number.isNaN(Date.parse(until)))
      toast(failure('Sign-in refused', `Your account is suspended until ${formatDateTime(until)}`));
    else if (message) toast(message);
    setParams(
      (old) => {
        old.delete(parameter);
        old.delete('until');
        return old;
      },
      { replace: true, preventScrollReset: true },
    );
  }, [parameter, result, until, toast, setParams]);
  return null;
};
