import { type ReactNode, Suspense, useCallback, useState } from 'react';
import { useFirstInteraction } from '../../hooks/use-first-interaction.ts';
import { lazyWithRetry, preload } from '../../lib/chunks.ts';
import { createShowToast, ToastContext, type ToastMessage } from './toast-context.ts';

const loadToaster = () => import('./toaster.tsx').then((module) => module.Toaster);
// Without its code a toast is not shown; the page stays.
const Toaster = lazyWithRetry(loadToaster, () => null);
const fetchToaster = preload(loadToaster);

export interface ShownToast extends ToastMessage {
  id: number;
  open: boolean;
}

/** Holds the only toast on screen; a new one replaces it. The toaster loads at the first interaction with the page. */
export const ToastProvider = ({ children }: { children: ReactNode }) => {
  useFirstInteraction(fetchToaster);
  const [toast, setToast] = useState<ShownToast>();
  const [show] = useState(() =>
    createShowToast((message) => setToast((last) => ({ ...message, id: (last?.id ?? 0) + 1, open: true }))),
  );
  const close = useCallback(
    (id: number) => setToast((last) => (last?.id === id ? { ...last, open: false } : last)),
    [],
  );
  return (
    <ToastContext value={show}>
      {children}
      {toast ? (
        <Suspense fallback={null}>
          <Toaster toast={toast} onClose={close} />
        </Suspense>
      ) : null}
    </ToastContext>
  );
};
