import { useEffect, useRef, useState } from 'react';
import { useBlocker } from 'react-router-dom';
import { onLeaveRequest } from '../../../lib/before-leaving.ts';
import { AlertDialog } from '../../../ui/lazy-overlays.tsx';

interface UnsavedGuardProps {
  isDirty: () => boolean;
  /** Whether the end of the session loses something: also a draft that leaving keeps. */
  isForgotten: () => boolean;
  text: string;
}

/** Asks before a form with changes is left: within the site, beyond it, and by ending the session. */
export const UnsavedGuard = ({ isDirty, isForgotten, text }: UnsavedGuardProps) => {
  const [held, setHeld] = useState<{ leave: () => Promise<void> }>();
  const isAgreed = useRef(false);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && !isAgreed.current && isDirty(),
  );
  useEffect(() => {
    const handleUnload = (event: BeforeUnloadEvent) => {
      if (isDirty()) event.preventDefault();
    };
    window.addEventListener('beforeunload', handleUnload);
    return () => window.removeEventListener('beforeunload', handleUnload);
  }, [isDirty]);
  useEffect(
    () =>
      onLeaveRequest((leave) => {
        const isHeld = isForgotten();
        if (isHeld) setHeld({ leave });
        return isHeld;
      }),
    [isForgotten],
  );

  if (held) {
    const handleLeave = async () => {
      isAgreed.current = true;
      await held.leave();
      // It may have failed; then the form is still there.
      isAgreed.current = false;
    };
    const words = 'What you have not saved is lost when you log out.';
    return <Question text={words} onStay={() => setHeld(undefined)} onLeave={() => void handleLeave()} />;
  }
  if (blocker.state !== 'blocked') return null;
  return <Question text={text} onStay={() => blocker.reset()} onLeave={() => blocker.proceed()} />;
};

const Question = ({ text, onStay, onLeave }: { text: string; onStay: () => void; onLeave: () => void }) => (
  <AlertDialog
    open
    onOpenChange={(open) => (open ? undefined : onStay())}
    title="Leave this page?"
    text={text}
    confirmLabel="Leave"
    onConfirm={onLeave}
  />
);
