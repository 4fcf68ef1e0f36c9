import { lazy, Suspense, useEffect } from 'react';
import { useBlocker } from 'react-router-dom';

const AlertDialog = lazy(() =>
  import('../../../ui/alert-dialog.tsx').then((module) => ({ default: module.AlertDialog })),
);

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
    <Suspense fallback={null}>
      <AlertDialog
        open
        onOpenChange={(open) => (open ? undefined : blocker.reset())}
        title="Leave this page?"
        text={text}
        confirmLabel="Leave"
        onConfirm={() => blocker.proceed()}
      />
    </Suspense>
  );
};
