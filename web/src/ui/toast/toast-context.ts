import { createContext, use } from 'react';

export interface ToastMessage {
  title: string;
  description?: string | undefined;
  variant?: 'default' | 'destructive';
  /** Milliseconds on screen; default 5000. */
  duration?: number;
  /** A link in the toast, such as "Post it on X". */
  action?: { label: string; href: string } | undefined;
}

export interface ShowToast {
  (toast: ToastMessage): void;
  /** Shows a failure; the title is "Error" unless given. */
  error: (description: string, title?: string) => void;
}

export const createShowToast = (show: (toast: ToastMessage) => void): ShowToast =>
  Object.assign((toast: ToastMessage) => show(toast), {
    error: (description: string, title = 'Error') => show({ title, description, variant: 'destructive' }),
  });

export const ToastContext = createContext<ShowToast>(createShowToast(() => {}));

/** The function that shows a toast. It never changes, so a component that uses it does not re-render. */
export const useToast = (): ShowToast => use(ToastContext);
