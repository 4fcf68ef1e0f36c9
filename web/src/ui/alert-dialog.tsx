import { Suspense, useState } from 'react';
import { lazyPart } from '../lib/load-code.ts';
import type { AlertDialogProps } from './alert-dialog-window.tsx';

const AlertDialogWindow = lazyPart(() =>
  import('./alert-dialog-window.tsx').then((module) => module.AlertDialogWindow),
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
