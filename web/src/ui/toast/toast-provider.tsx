import { type ReactNode, Suspense, useCallback, useEffect, useState } from 'react';
import { lazyWithRetry, preload } from '../../lib/chunks.ts';
import { createShowToast, ToastContext, type ToastMessage } from './toast-context.ts';

const INTERACTIONS = ['pointerdown', 'pointermove', 'keydown', 'scroll'];

/** Calls `act` once, at the first interaction with the page: to load code that is needed from then on. */
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
