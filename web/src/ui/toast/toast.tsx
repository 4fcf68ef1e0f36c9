import { createContext, type ReactNode, use, useCallback, useEffect, useState } from 'react';
import { t } from '../../../../contract/i18n.ts';
import { lazyWithRetry, preload } from '../../lib/chunks.ts';
import type { ShownToast, ToastMessage } from './toast-message.ts';

export interface ShowToast {
  (toast: ToastMessage): void;
  error: (description: string, title?: string) => void;
}

export const createShowToast = (show: (toast: ToastMessage) => void): ShowToast =>
  Object.assign((toast: ToastMessage) => show(toast), {
    error: (description: string, title = t('shell.error')) => show({ title, description, variant: 'destructive' }),
  });

export const ToastContext = createContext<ShowToast>(createShowToast(() => {}));

/** The function that shows a toast. Its identity never changes, so components that use it do not re-render. */
export const useToast = (): ShowToast => use(ToastContext);

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
      {toast ? <Toaster toast={toast} onClose={close} /> : null}
    </ToastContext>
  );
};
