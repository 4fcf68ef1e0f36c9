import { Check } from 'lucide-react';
import { DropdownMenu as RadixMenu } from 'radix-ui';
import { type ComponentProps, type ReactNode, useEffect } from 'react';
import { getReadingDirection } from '../../../contract/i18n.ts';
import { useCloseOnBack, useEscapeLayer } from '../hooks/use-overlay.ts';
import type { ActionMenuProps, LazyMenuProps } from './menu-props.ts';

interface MenuProps extends LazyMenuProps {
  label: string;
  children: ReactNode;
}

const SIZE = {
  minWidth: 'min(13rem, calc(100vw - 1rem))',
  maxWidth: 'calc(100vw - 1rem)',
  maxHeight: 'var(--radix-dropdown-menu-content-available-height)',
};

/**
 * A menu under a button that is rendered before this module loads. Radix positions a menu at its own trigger, so an
 * inert trigger covers the button. The parent of both must be positioned.
 */
export const Menu = ({ open, onOpenChange, anchorRef, focusFirstItem, label, children }: MenuProps) => {
  const layer = useEscapeLayer<HTMLDivElement>(() => onOpenChange(false));
  const { ref } = layer;
  useCloseOnBack(open, () => onOpenChange(false));
  // Radix focuses the first item only for key events after mounting. The key that opened the menu came earlier.
  useEffect(() => {
    if (!open || !focusFirstItem) return;
    const frame = requestAnimationFrame(() => ref.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus());
    return () => cancelAnimationFrame(frame);
  }, [open, focusFirstItem, ref]);
  return (
    <RadixMenu.Root open={open} onOpenChange={onOpenChange} modal={false} dir={getReadingDirection()}>
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
          style={SIZE}
          className="z-overlay animate-zoom-in overflow-y-auto rounded-card border border-border bg-card p-1.5 shadow-dialog"
        >
          {children}
        </RadixMenu.Content>
      </RadixMenu.Portal>
    </RadixMenu.Root>
  );
};

export const MenuItem = (props: ComponentProps<typeof RadixMenu.Item>) => (
  <RadixMenu.Item className="menu-item" {...props} />
);

/** Loaded by `loadActionMenu` of lazy-overlays.tsx. */
export const ActionMenu = ({ title, actions, ...menu }: LazyMenuProps & ActionMenuProps) => (
  <Menu {...menu} label={title}>
    {actions.map(({ icon: Icon, label, href, isOn, onSelect }) => {
      const content = (
        <>
          <Icon />
          {label}
        </>
      );
      if (isOn !== undefined)
        return (
          <RadixMenu.CheckboxItem key={label} checked={isOn} onCheckedChange={onSelect} className="menu-item">
            {content}
            <RadixMenu.ItemIndicator className="ms-auto">
              <Check />
            </RadixMenu.ItemIndicator>
          </RadixMenu.CheckboxItem>
        );
      return href ? (
        <MenuItem key={label} asChild>
          <a href={href} target="_blank" rel="noopener">
            {content}
          </a>
        </MenuItem>
      ) : (
        <MenuItem key={label} onSelect={onSelect}>
          {content}
        </MenuItem>
      );
    })}
  </Menu>
);

export const MenuRadioGroup = RadixMenu.RadioGroup;

export const MenuRadioItem = (props: ComponentProps<typeof RadixMenu.RadioItem>) => (
  <RadixMenu.RadioItem className="menu-item data-[state=checked]:font-semibold" {...props} />
);

export const MenuSeparator = () => <RadixMenu.Separator className="my-1.5 h-px bg-border" />;
