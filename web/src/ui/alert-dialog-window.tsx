import { AlertDialog as RadixAlertDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { useEscape } from './use-escape.ts';
import { useReturnFocus } from './use-return-focus.ts';

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
  const layer = useEscape<HTMLDivElement>(() => onOpenChange(false));
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
