import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useBlocker } from 'react-router-dom';
import { t } from '../../../contract/i18n.ts';
import { guardForm, type SignOut } from '../api/session.ts';
import { AlertDialog } from './lazy-overlays.tsx';

interface LeaveGuardProps {
  isChanged: () => boolean;
  /** Whether to ask before signing out, which also removes drafts. */
  isUnsaved: () => boolean;
  text: string;
}

export const LeaveGuard = ({ isChanged, isUnsaved, text }: LeaveGuardProps) => {
  const [signOut, setSignOut] = useState<SignOut>();
  const isSigningOutRef = useRef(false);
  const isConfirmedRef = useRef(false);
  /** Back while the question is open means Cancel. */
  const isAnsweredRef = useRef(false);
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    const isLeaving = currentLocation.pathname !== nextLocation.pathname;
    if (!isLeaving || isSigningOutRef.current || !isChanged()) return false;
    isAnsweredRef.current = isAsking && historyAction === 'POP';
    return true;
  });
  const isAsking = signOut !== undefined || blocker.state === 'blocked';
  useEffect(() => {
    const handleUnload = (event: BeforeUnloadEvent) => {
      if (isChanged()) event.preventDefault();
    };
    window.addEventListener('beforeunload', handleUnload);
    const removeGuard = guardForm({ isUnsaved, ask: (action) => setSignOut(() => action) });
    return () => {
      window.removeEventListener('beforeunload', handleUnload);
      removeGuard();
    };
  }, [isChanged, isUnsaved]);

  const handleSignOut = async (action: SignOut) => {
    isSigningOutRef.current = true;
    await action();
    // If signing out failed, the form still exists.
    isSigningOutRef.current = false;
  };
  const leave = () => {
    isConfirmedRef.current = true;
    if (signOut) void handleSignOut(signOut);
    else blocker.proceed?.();
  };
  const handleClose = () => {
    setSignOut(undefined);
    // The confirmed dialog also closes. Resetting the blocker would block Back again, which happens later.
    if (!isConfirmedRef.current) blocker.reset?.();
    isConfirmedRef.current = false;
  };
  const closeNow = useEffectEvent(handleClose);
  useEffect(() => {
    if (blocker.state === 'blocked' && isAnsweredRef.current) closeNow();
    isAnsweredRef.current = false;
  }, [blocker]);
  // Removed at once instead of fading out: a second click on the page's Cancel would hit the fading dialog's.
  if (!isAsking) return null;
  return (
    <AlertDialog
      open
      isAboutBack
      onOpenChange={(open) => (open ? undefined : handleClose())}
      title={t('forms.leaveTitle')}
      text={signOut ? t('forms.leaveSignOut') : text}
      confirmLabel={t('forms.leave')}
      onConfirm={leave}
    />
  );
};
