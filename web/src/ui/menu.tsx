import { DropdownMenu as RadixMenu } from 'radix-ui';
import type { ComponentProps, ReactNode, RefObject } from 'react';
import { useEscapeLayer } from '../hooks/use-escape-layer.ts';
import { cn } from '../lib/cn.ts';

interface MenuProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The visible button that opened the menu; the focus goes back to it. */
  button: RefObject<HTMLButtonElement | null>;
  /** Opened by a key: the focus then goes to the first item at once. */
  viaKeyboard: boolean;
  label: string;
  children: ReactNode;
}

/**
 * A menu under a button that exists before this module is loaded. Radix wants a trigger of its own as the anchor, so an
 * inert one lies over the button's place; its parent must be positioned.
 */
export const Menu = ({ open, onOpenChange, button, viaKeyboard, label, children }: MenuProps) => {
  const layer = useEscapeLayer<HTMLDivElement>(() => onOpenChange(false));
  return (
    <RadixMenu.Root open={open} onOpenChange={onOpenChange} modal={false}>
      <RadixMenu.Trigger aria-hidden="true" tabIndex={-1} className="pointer-events-none absolute inset-0 opacity-0" />
      <RadixMenu.Portal>
        <RadixMenu.Content
          {...layer}
          data-slot="menu"
          // Radix looks at the keyboard only from when it is mounted, which was after the key that opened this.
          ref={(menu) => {
            layer.ref.current = menu;
            if (menu && viaKeyboard)
              requestAnimationFrame(() => menu.querySelector<HTMLElement>('[role^=menuitem]')?.focus());
          }}
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label={label}
          aria-labelledby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            button.current?.focus();
          }}
          onInteractOutside={(event) => {
            // A click on the button itself closes by the button's own handler, not twice.
            if (button.current?.contains(event.target as Node)) event.preventDefault();
          }}
          className="z-overlay min-w-52 animate-zoom-in rounded-card border border-border bg-card p-1.5 shadow-dialog"
        >
          {children}
        </RadixMenu.Content>
      </RadixMenu.Portal>
    </RadixMenu.Root>
  );
};

const ITEM =
  'flex min-h-10 w-full cursor-pointer items-center gap-2.5 rounded-lg px-3 text-sm outline-none select-none data-highlighted:bg-muted [&_svg]:size-4 [&_svg]:text-muted-foreground';

export const MenuItem = ({ className, ...props }: ComponentProps<typeof RadixMenu.Item>) => (
  <RadixMenu.Item className={cn(ITEM, className)} {...props} />
);

export const MenuRadioGroup = RadixMenu.RadioGroup;

export const MenuRadioItem = ({ className, ...props }: ComponentProps<typeof RadixMenu.RadioItem>) => (
  <RadixMenu.RadioItem className={cn(ITEM, 'data-[state=checked]:font-semibold', className)} {...props} />
);

export const MenuSeparator = () => <RadixMenu.Separator className="my-1.5 h-px bg-border" />;
