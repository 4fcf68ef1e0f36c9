import { useNavigate } from 'react-router-dom';
import { t } from '../../../../contract/i18n.ts';
import { endSession, requestSignOut, useReplaceSession } from '../../api/session.ts';
import { unlessOffline } from '../../lib/online.ts';
import { useToast } from '../../ui/toast/toast.tsx';

/** Where a user changes the settings of their account: on X, whose account they sign in with. */
export const X_SETTINGS = 'https://x.com/settings/account';

/** Ends the session, clears the cached data and goes to the home page. A form with unsaved changes asks first. */
export const useSignOut = (): (() => Promise<void>) => {
  const replaceSession = useReplaceSession();
  const navigate = useNavigate();
  const toast = useToast();
  const signOut = async () => {
    try {
      await endSession();
      // Ends push notifications to this browser. The server has forgotten it with the session.
      void import('../push/browser-push.ts').then((module) => module.unsubscribeBrowser()).catch(() => {});
      await navigate('/');
      await replaceSession(null);
    } catch (error) {
      console.error('Logout failed', error);
      toast.error(unlessOffline(t('shell.logoutFailed')));
    }
  };
  return () => requestSignOut(signOut);
};
