import { X } from 'lucide-react';
import { AlertDialog as RadixAlertDialog, Dialog as RadixDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { useEscapeLayer } from '../hooks/use-escape-layer.ts';
import { useReturnFocus } from '../hooks/use-return-focus.ts';
import { cn } from '../lib/cn.ts';
import { Button } from './button.tsx';

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: string | undefined;
  hideTitle?: boolean;
  className?: string;
  children: ReactNode;
}

/** The dialog itself; used through dialog.tsx, which loads it when it first opens. */
export const DialogContent = ({
  open,
  onOpenChange,
  title,
  description,
  hideTitle,
  className,
  children,
}: DialogProps) => {
  const returnFocus = useReturnFocus();
  const layer = useEscapeLayer<HTMLDivElement>(() => onOpenChange(false));
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-overlay animate-fade-in bg-black/60 data-[state=closed]:animate-fade-out" />
        <RadixDialog.Content
          {...returnFocus}
          {...layer}
          data-slot="dialog"
          {...(description ? {} : { 'aria-describedby': undefined })}
          className={cn(
            'fixed inset-x-0 bottom-0 z-overlay flex max-h-[92dvh] animate-rise-in flex-col gap-4 overflow-y-auto rounded-t-dialog border border-border bg-card p-5 pb-[max(1.25rem,env(safe-area-inset-bottom))] shadow-dialog data-[state=closed]:animate-fade-out sm:inset-auto sm:top-1/2 sm:left-1/2 sm:w-[calc(100vw-3rem)] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:animate-zoom-in sm:rounded-dialog sm:p-6',
            className ?? 'sm:max-w-lg',
          )}
        >
          <header className={cn('grid gap-1.5 pr-10', hideTitle && 'sr-only')}>
            <RadixDialog.Title className="text-xl font-semibold">{title}</RadixDialog.Title>
            {description ? (
              <RadixDialog.Description className="text-muted-foreground">{description}</RadixDialog.Description>
            ) : null}
          </header>
          {children}
          <RadixDialog.Close
            aria-label="Close"
            className="absolute top-3 right-3 flex size-10 items-center justify-center rounded-control text-muted-foreground hover:bg-muted hover:text-foreground"
          >
            <X aria-hidden="true" className="size-5" />
          </RadixDialog.Close>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
};

export interface AlertDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  text: string;
  confirmLabel: string;
  /** Something in it has to be put right before it can be confirmed. */
  isHeld?: boolean;
  onConfirm: () => void;
  children?: ReactNode;
}

/** The question itself; used through alert-dialog.tsx, which loads it when it first opens. */
export const AlertDialogWindow = ({
  open,
  onOpenChange,
  title,
  text,
  confirmLabel,
  isHeld,
  onConfirm,
  children,
}: AlertDialogProps) => {
  const returnFocus = useReturnFocus();
  const layer = useEscapeLayer<HTMLDivElement>(() => onOpenChange(false));
  return (
    <RadixAlertDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixAlertDialog.Portal>
        <RadixAlertDialog.Overlay className="fixed inset-0 z-overlay animate-fade-in bg-black/60" />
        <RadixAlertDialog.Content
          {...returnFocus}
          {...layer}
          data-slot="alert-dialog"
          className="fixed top-1/2 left-1/2 z-overlay grid w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 animate-zoom-in gap-4 rounded-dialog border border-border bg-card p-6 shadow-dialog"
        >
          <RadixAlertDialog.Title className="text-lg font-semibold">{title}</RadixAlertDialog.Title>
          <RadixAlertDialog.Description className="text-muted-foreground">{text}</RadixAlertDialog.Description>
          {children}
          <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
            <RadixAlertDialog.Cancel asChild>
              <Button variant="outline">Cancel</Button>
            </RadixAlertDialog.Cancel>
            <RadixAlertDialog.Action asChild>
              <Button variant="destructive" disabled={isHeld} onClick={onConfirm}>
                {confirmLabel}
              </Button>
            </RadixAlertDialog.Action>
          </div>
        </RadixAlertDialog.Content>
      </RadixAlertDialog.Portal>
    </RadixAlertDialog.Root>
  );
};

interface SheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  children: ReactNode;
}

/** A drawer from the right edge. */
export const Sheet = ({ open, onOpenChange, title, children }: SheetProps) => {
  const returnFocus = useReturnFocus();
  const layer = useEscapeLayer<HTMLDivElement>(() => onOpenChange(false));
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-overlay animate-fade-in bg-black/60 data-[state=closed]:animate-fade-out" />
        <RadixDialog.Content
          {...returnFocus}
          {...layer}
          data-slot="sheet"
          aria-describedby={undefined}
          className="fixed inset-y-0 right-0 z-overlay flex w-80 max-w-[88vw] animate-drawer-in flex-col gap-2 overflow-y-auto border-l border-border bg-card p-4 shadow-dialog data-[state=closed]:animate-drawer-out"
        >
          <header className="flex items-center justify-between">
            <RadixDialog.Title className="text-lg font-semibold">{title}</RadixDialog.Title>
            <RadixDialog.Close
              aria-label="Close menu"
              className="flex size-11 items-center justify-center rounded-control hover:bg-muted"
            >
              <X aria-hidden="true" className="size-5" />
            </RadixDialog.Close>
          </header>
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
};
