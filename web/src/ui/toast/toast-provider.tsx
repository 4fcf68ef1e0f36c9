import { type ReactNode, Suspense, useCallback, useEffect, useState } from 'react';
import { lazyWithRetry, preload } from '../../lib/chunks.ts';
import { createShowToast, ToastContext, type ToastMessage } from './toast-context.ts';

const INTERACTIONS = ['pointerdown', 'pointermove', 'keydown', 'scroll'];

/** Calls `act` once, at the first interaction with the page, for example to load code. */
export const useFirstInteraction = (act: () => void): void =>
  useEffect(() => {
    const controller = new AbortController();
    const handleFirst = () => {
      controller.abort();
      act();
    };
    for (const name of INTERACTIONS)
      window.addEventListener(name, handleFirst, { signal: controller.signal, passive: true });
    return () => controller.abort();
  }, [act]);

const loadToaster = () => import('./toaster.tsx').then((module) => module.Toaster);
// If its code cannot be loaded, toasts are not shown and the page works.
const Toaster = lazyWithRetry(loadToaster, () => null);
const fetchToaster = preload(loadToaster);

export interface ShownToast extends ToastMessage {
  id: number;
  open: boolean;
}

/** Shows one toast at a time; a new one replaces it. The toaster loads at the first interaction with the page. */
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
