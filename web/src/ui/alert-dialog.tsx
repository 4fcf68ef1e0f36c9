import { lazy, Suspense, useState } from 'react';
import type { AlertDialogProps } from './alert-dialog-window.tsx';

const AlertDialogWindow = lazy(() =>
  import('./alert-dialog-window.tsx').then((module) => ({ default: module.AlertDialogWindow })),
);

/** Asks before something that cannot be taken back; focus starts on Cancel. Its code comes with the first opening. */
export const AlertDialog = (props: AlertDialogProps) => {
  const [wasOpened, setOpened] = useState(props.open);
  if (props.open && !wasOpened) setOpened(true);
  return wasOpened ? (
    <Suspense fallback={null}>
      <AlertDialogWindow {...props} />
    </Suspense>
  ) : null;
};
