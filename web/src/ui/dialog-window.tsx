import { X } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from '../lib/cn.ts';
import { useEscape } from './use-escape.ts';
import { useReturnFocus } from './use-return-focus.ts';

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
export const DialogWindow = ({
  open,
  onOpenChange,
  title,
  description,
  hideTitle,
  className,
  children,
}: DialogProps) => {
  const returnFocus = useReturnFocus();
  const layer = useEscape<HTMLDivElement>(() => onOpenChange(false));
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
