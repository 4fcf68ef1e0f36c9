import { clsx as cn } from 'clsx';
import { Check } from 'lucide-react';
import { DropdownMenu as RadixMenu } from 'radix-ui';
import { type ComponentProps, type ReactNode, useEffect } from 'react';
import { useEscapeLayer } from '../hooks/use-overlay.ts';
import type { LazyMenuProps } from './lazy-overlays.tsx';

interface MenuProps extends LazyMenuProps {
  label: string;
  children: ReactNode;
}

/**
 * A menu under a button that is rendered before this module loads. Radix positions a menu at its own trigger, so an
 * inert trigger covers the button. The parent of both must be positioned.
 */
export const Menu = ({ open, onOpenChange, anchorRef, focusFirstItem, label, children }: MenuProps) => {
  const layer = useEscapeLayer<HTMLDivElement>(() => onOpenChange(false));
  const { ref } = layer;
  // Radix focuses the first item only for key events after mounting. The key that opened the menu came earlier.
  useEffect(() => {
    if (!open || !focusFirstItem) return;
    const frame = requestAnimationFrame(() => ref.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus());
    return () => cancelAnimationFrame(frame);
  }, [open, focusFirstItem, ref]);
  return (
    <RadixMenu.Root open={open} onOpenChange={onOpenChange} modal={false}>
      <RadixMenu.Trigger aria-hidden="true" tabIndex={-1} className="pointer-events-none absolute inset-0 opacity-0" />
      <RadixMenu.Portal>
        <RadixMenu.Content
          {...layer}
          data-slot="menu"
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label={label}
          aria-labelledby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            anchorRef.current?.focus();
          }}
          onInteractOutside={(event) => {
            // The button's own handler closes the menu. Closing it here too would reopen it.
            if (anchorRef.current?.contains(event.target as Node)) event.preventDefault();
          }}
          className="z-overlay min-w-52 animate-zoom-in rounded-card border border-border bg-card p-1.5 shadow-dialog"
        >
          {children}
        </RadixMenu.Content>
      </RadixMenu.Portal>
    </RadixMenu.Root>
  );
};

export const MenuItem = ({ className, ...props }: ComponentProps<typeof RadixMenu.Item>) => (
  <RadixMenu.Item className={cn('menu-item', className)} {...props} />
);

export const MenuCheckboxItem = ({ className, children, ...props }: ComponentProps<typeof RadixMenu.CheckboxItem>) => (
  <RadixMenu.CheckboxItem className={cn('menu-item', className)} {...props}>
    {children}
    <RadixMenu.ItemIndicator className="ml-auto">
      <Check />
    </RadixMenu.ItemIndicator>
  </RadixMenu.CheckboxItem>
);

export const MenuRadioGroup = RadixMenu.RadioGroup;

export const MenuRadioItem = ({ className, ...props }: ComponentProps<typeof RadixMenu.RadioItem>) => (
  <RadixMenu.RadioItem className={cn('menu-item data-[state=checked]:font-semibold', className)} {...props} />
);

export const MenuSeparator = () => <RadixMenu.Separator className="my-1.5 h-px bg-border" />;
