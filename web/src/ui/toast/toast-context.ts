import { createContext, use } from 'react';

export interface ToastMessage {
  title: string;
  description?: string | undefined;
  variant?: 'default' | 'destructive';
  /** Milliseconds on screen; 5000 unless told. */
  duration?: number;
  /** A button of the toast, such as "Share on X". */
  action?: { label: string; href: string } | undefined;
}

export type ShowToast = (toast: ToastMessage) => void;

export const ToastContext = createContext<ShowToast>(() => {});

/** The function that shows a toast; it never changes, so using it re-renders nothing. */
export const useToast = (): ShowToast => use(ToastContext);
