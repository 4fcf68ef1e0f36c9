import { useNavigate } from 'react-router-dom';
import { endSession, useReplaceSession } from '../../api/session.ts';
import { useToast } from '../../ui/toast/toast-context.ts';

/** Ends the session, forgets what was loaded and goes home. */
export const useSignOut = (): (() => Promise<void>) => {
  const replaceSession = useReplaceSession();
  const navigate = useNavigate();
  const toast = useToast();
  return async () => {
    try {
      await endSession();
      await navigate('/');
      await replaceSession(null);
    } catch (error) {
      console.error('Logout failed', error);
      toast({ title: 'Error', description: 'Failed to log out. Please try again.', variant: 'destructive' });
    }
  };
};
