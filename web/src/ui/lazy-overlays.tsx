import { Suspense, useState } from 'react';
import { lazyWithRetry } from '../app/startup/chunks.ts';
import type { AlertDialogProps, DialogProps } from './overlays.tsx';

const DialogWindow = lazyWithRetry(() => import('./overlays.tsx').then((module) => module.DialogContent));

/** A modal dialog: centred on wide screens, a sheet from the bottom edge on phones. Its code comes with the first opening. */
export const Dialog = (props: DialogProps) => {
  const [wasOpened, setOpened] = useState(props.open);
  if (props.open && !wasOpened) setOpened(true);
  return wasOpened ? (
    <Suspense fallback={null}>
      <DialogWindow {...props} />
    </Suspense>
  ) : null;
};

const AlertDialogWindow = lazyWithRetry(() => import('./overlays.tsx').then((module) => module.AlertDialogWindow));

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
