import { useNavigate } from 'react-router-dom';
import { endSession, useReplaceSession } from '../../api/session.ts';
import { leaveWhenFree } from '../../lib/before-leaving.ts';
import { useToast } from '../../ui/toast/toast-context.ts';

/** Ends the session, forgets what was loaded and goes home; a form with changes asks before. */
export const useSignOut = (): (() => Promise<void>) => {
  const replaceSession = useReplaceSession();
  const navigate = useNavigate();
  const toast = useToast();
  const signOut = async () => {
    try {
      await endSession();
      await navigate('/');
      await replaceSession(null);
    } catch (error) {
      console.error('Logout failed', error);
      toast({ title: 'Error', description: 'Failed to log out. Please try again.', variant: 'destructive' });
    }
  };
  return () => leaveWhenFree(signOut);
};
