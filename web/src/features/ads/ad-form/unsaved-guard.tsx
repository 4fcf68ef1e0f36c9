import { useEffect } from 'react';
import { useBlocker } from 'react-router-dom';
import { AlertDialog } from '../../../ui/alert-dialog.tsx';

/** Asks before a form with changes is left, within the site and beyond. */
export const UnsavedGuard = ({ isDirty, text }: { isDirty: () => boolean; text: string }) => {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && isDirty(),
  );
  useEffect(() => {
    const handleUnload = (event: BeforeUnloadEvent) => {
      if (isDirty()) event.preventDefault();
    };
    window.addEventListener('beforeunload', handleUnload);
    return () => window.removeEventListener('beforeunload', handleUnload);
  }, [isDirty]);

  if (blocker.state !== 'blocked') return null;
  return (
    <AlertDialog
      open
      onOpenChange={(open) => (open ? undefined : blocker.reset())}
      title="Leave this page?"
      text={text}
      confirmLabel="Leave"
      onConfirm={() => blocker.proceed()}
    />
  );
};
