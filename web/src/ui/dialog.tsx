import { Suspense, useState } from 'react';
import { lazyPart } from '../lib/load-code.ts';
import type { DialogProps } from './dialog-window.tsx';

const DialogWindow = lazyPart(() => import('./dialog-window.tsx').then((module) => module.DialogWindow));

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
