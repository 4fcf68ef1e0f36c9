import { X } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { useEscape } from './use-escape.ts';
import { useReturnFocus } from './use-return-focus.ts';

interface SheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  children: ReactNode;
}

/** A drawer from the right edge. */
export const Sheet = ({ open, onOpenChange, title, children }: SheetProps) => {
  const returnFocus = useReturnFocus();
  const layer = useEscape<HTMLDivElement>(() => onOpenChange(false));
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
