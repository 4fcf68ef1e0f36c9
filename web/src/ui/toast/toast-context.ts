import { createContext, use } from 'react';

export interface ToastMessage {
  title: string;
  description?: string | undefined;
  variant?: 'default' | 'destructive';
  /** Milliseconds; default 5000. */
  duration?: number;
  action?: { label: string; href: string } | undefined;
}

export interface ShowToast {
  (toast: ToastMessage): void;
  error: (description: string, title?: string) => void;
}

export const createShowToast = (show: (toast: ToastMessage) => void): ShowToast =>
  Object.assign((toast: ToastMessage) => show(toast), {
    error: (description: string, title = 'Error') => show({ title, description, variant: 'destructive' }),
  });

export const ToastContext = createContext<ShowToast>(createShowToast(() => {}));

/** The function that shows a toast. Its identity never changes, so components that use it do not re-render. */
export const useToast = (): ShowToast => use(ToastContext);
