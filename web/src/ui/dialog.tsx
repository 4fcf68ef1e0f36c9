import { lazy, Suspense, useState } from 'react';
import type { DialogProps } from './dialog-window.tsx';

const DialogWindow = lazy(() => import('./dialog-window.tsx').then((module) => ({ default: module.DialogWindow })));

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
