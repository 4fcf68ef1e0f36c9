import { clsx as cn } from 'clsx';
import { X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { getReadingDirection, t } from '../../../../contract/i18n.ts';
import type { ShownToast } from './toast-message.ts';

const ACTION = 'mt-1 min-h-6 w-fit rounded text-sm font-semibold text-link';

/** A swipe of more than 50 px to the end of the line dismisses the toast; F8 focuses it. */
export const Toaster = ({ toast, onClose }: { toast: ShownToast; onClose: (id: number) => void }) => (
  <Toast.Provider
    duration={5000}
    swipeDirection={getReadingDirection() === 'rtl' ? 'left' : 'right'}
    swipeThreshold={50}
    label={t('shell.notification')}
  >
    <Toast.Root
      key={toast.id}
      open={toast.open}
      onOpenChange={(open) => (open ? undefined : onClose(toast.id))}
      duration={toast.duration ?? 5000}
      data-slot="toast"
      className={cn(
        'relative grid animate-toast-in gap-1 rounded-card border p-4 pe-12 shadow-dialog',
        'data-[state=closed]:animate-fade-out data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform data-[swipe=end]:animate-swipe-out data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)',
        toast.variant === 'destructive'
          ? 'border-destructive bg-destructive text-destructive-foreground'
          : 'border-border bg-card text-foreground',
      )}
    >
      <Toast.Title className="text-sm font-semibold">{toast.title}</Toast.Title>
      {toast.description ? (
        <Toast.Description className="text-sm whitespace-pre-line">{toast.description}</Toast.Description>
      ) : null}
      {toast.action ? (
        <Toast.Action asChild altText={toast.action.label}>
          {'href' in toast.action ? (
            <a href={toast.action.href} target="_blank" rel="noopener" className={ACTION}>
              {toast.action.label}
            </a>
          ) : (
            <button type="button" className={ACTION} onClick={toast.action.onClick}>
              {toast.action.label}
            </button>
          )}
        </Toast.Action>
      ) : null}
      <Toast.Close
        aria-label={t('shell.closeNotification')}
        className="absolute top-2 end-2 flex size-9 items-center justify-center rounded-control opacity-80 hover:opacity-100"
      >
        <X className="size-4" />
      </Toast.Close>
    </Toast.Root>
    <Toast.Viewport className="toasts" />
  </Toast.Provider>
);
