export interface ToastMessage {
  title: string;
  description?: string | undefined;
  variant?: 'default' | 'destructive';
  /** Milliseconds; default 5000. */
  duration?: number;
  /** A link opens a new tab; a button closes the toast. */
  action?: { label: string; href: string } | { label: string; onClick: () => void } | undefined;
}

export interface ShownToast extends ToastMessage {
  id: number;
  open: boolean;
}
