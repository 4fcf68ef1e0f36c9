import { clsx as cn } from 'clsx';
import { X } from 'lucide-react';
import { AlertDialog as RadixAlertDialog, Dialog as RadixDialog } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { t } from '../../../contract/i18n.ts';
import { useCloseOnBack, useEscapeLayer, useReturnFocus } from '../hooks/use-overlay.ts';
import { Button } from './button.tsx';

interface OverlayProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  children?: ReactNode;
}

/** Back and Escape close the overlay, and the focus returns to where it was. */
const useOverlayContent = ({ open, onOpenChange }: Pick<OverlayProps, 'open' | 'onOpenChange'>) => {
  useCloseOnBack(open, () => onOpenChange(false));
  return { ...useReturnFocus(), ...useEscapeLayer<HTMLDivElement>(() => onOpenChange(false)) };
};

interface PanelProps extends Pick<OverlayProps, 'open' | 'onOpenChange' | 'children'>, ComponentProps<'div'> {
  slot: string;
}

const Panel = ({ open, onOpenChange, slot, ...props }: PanelProps) => {
  const content = useOverlayContent({ open, onOpenChange });
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="overlay" />
        <RadixDialog.Content {...content} data-slot={slot} {...props} />
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
};

const CloseButton = (props: { 'aria-label': string; className?: string }) => (
  <RadixDialog.Close asChild>
    <Button variant="ghost" size="icon" {...props}>
      <X className="size-5" />
    </Button>
  </RadixDialog.Close>
);

export interface DialogProps extends OverlayProps {
  description?: string | undefined;
  className?: string;
}

/** Use `Dialog` of lazy-overlays.tsx, which loads this component. */
export const DialogContent = ({ open, onOpenChange, title, description, className, children }: DialogProps) => (
  <Panel
    open={open}
    onOpenChange={onOpenChange}
    slot="dialog"
    {...(description ? {} : { 'aria-describedby': undefined })}
    className={cn('overlay-panel dialog', className)}
  >
    <header className="grid gap-1.5 pe-10">
      <RadixDialog.Title className="section-heading">{title}</RadixDialog.Title>
      {description ? (
        <RadixDialog.Description className="text-muted-foreground">{description}</RadixDialog.Description>
      ) : null}
    </header>
    {children}
    <CloseButton
      aria-label={t('shell.close')}
      className="absolute top-3 end-3 text-muted-foreground hover:text-foreground"
    />
  </Panel>
);

export interface AlertDialogProps extends OverlayProps {
  text: string;
  confirmLabel: string;
  confirmDisabled?: boolean;
  /** Default: destructive. */
  confirmVariant?: 'primary';
  onConfirm: () => void;
  /** The question is about Back itself: who asks it also closes it. */
  isAboutBack?: boolean;
}

/** Use `AlertDialog` of lazy-overlays.tsx, which loads this component. */
export const AlertDialogContent = ({
  open,
  onOpenChange,
  title,
  text,
  confirmLabel,
  confirmDisabled,
  confirmVariant,
  onConfirm,
  isAboutBack = false,
  children,
}: AlertDialogProps) => {
  const content = useOverlayContent({ open: open && !isAboutBack, onOpenChange });
  return (
    <RadixAlertDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixAlertDialog.Portal>
        <RadixAlertDialog.Overlay className="overlay" />
        <RadixAlertDialog.Content {...content} data-slot="alert-dialog" className="overlay-panel alert-dialog">
          <RadixAlertDialog.Title className="card-heading">{title}</RadixAlertDialog.Title>
          <RadixAlertDialog.Description className="text-muted-foreground">{text}</RadixAlertDialog.Description>
          {children}
          <div className="dialog-footer">
            <RadixAlertDialog.Cancel asChild>
              <Button variant="outline">{t('shell.cancel')}</Button>
            </RadixAlertDialog.Cancel>
            <RadixAlertDialog.Action asChild>
              <Button variant={confirmVariant ?? 'destructive'} disabled={confirmDisabled} onClick={onConfirm}>
                {confirmLabel}
              </Button>
            </RadixAlertDialog.Action>
          </div>
        </RadixAlertDialog.Content>
      </RadixAlertDialog.Portal>
    </RadixAlertDialog.Root>
  );
};

interface SheetProps extends OverlayProps {
  closeLabel?: string;
}

export const Sheet = ({ open, onOpenChange, title, closeLabel, children }: SheetProps) => (
  <Panel
    open={open}
    onOpenChange={onOpenChange}
    slot="sheet"
    aria-describedby={undefined}
    className="overlay-panel sheet"
  >
    <header className="flex items-center justify-between">
      <RadixDialog.Title className="card-heading">{title}</RadixDialog.Title>
      <CloseButton aria-label={closeLabel ?? t('shell.closeMenu')} />
    </header>
    {children}
  </Panel>
);
