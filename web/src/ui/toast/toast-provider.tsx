import { type ReactNode, Suspense, useCallback, useState } from 'react';
import { lazyWithRetry, preload } from '../../app/startup/chunks.ts';
import { useFirstInteraction } from '../../hooks/use-first-interaction.ts';
import { ToastContext, type ToastMessage } from './toast-context.ts';

const loadToaster = () => import('./toaster.tsx').then((module) => module.Toaster);
const Toaster = lazyWithRetry(loadToaster);
const fetchToaster = preload(loadToaster);

export interface ShownToast extends ToastMessage {
  id: number;
  open: boolean;
}

/** Holds the one toast that may be on screen; a new one replaces it. The widget loads when somebody begins to act. */
export const ToastProvider = ({ children }: { children: ReactNode }) => {
  useFirstInteraction(fetchToaster);
  const [toast, setToast] = useState<ShownToast>();
  const show = useCallback(
    (message: ToastMessage) => setToast((last) => ({ ...message, id: (last?.id ?? 0) + 1, open: true })),
    [],
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
