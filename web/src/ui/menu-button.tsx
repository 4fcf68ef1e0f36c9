import { type ComponentType, type ReactNode, type RefObject, useMemo, useRef, useState } from 'react';
import { preload } from '../lib/chunks.ts';
import { Button } from './button.tsx';
import { lazyOverlay } from './lazy-overlays.tsx';

export interface LazyMenuProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The button that opened the menu; the focus returns to it. */
  anchorRef: RefObject<HTMLButtonElement | null>;
  /** Opened with the keyboard: the first item gets the focus. */
  focusFirstItem: boolean;
}

interface MenuButtonProps {
  label: string;
  /** Loads the menu: ahead of time on hover or focus, at the latest with the click. */
  load: () => Promise<ComponentType<LazyMenuProps>>;
  className?: string;
  children: ReactNode;
}

/** A button whose menu loads when the pointer or the focus reaches it. */
export const MenuButton = ({ label, load, className, children }: MenuButtonProps) => {
  const anchorRef = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const [focusFirstItem, setFocusFirstItem] = useState(false);
  const LazyMenu = useMemo(() => lazyOverlay(load), [load]);
  return (
    <div className="relative">
      <Button
        ref={anchorRef}
        variant="ghost"
        size="icon"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        className={className}
        onPointerEnter={preload(load)}
        onFocus={preload(load)}
        onClick={(event) => {
          // A click that a key made has no press count.
          setFocusFirstItem(event.detail === 0);
          setOpen(!open);
        }}
      >
        {children}
      </Button>
      <LazyMenu open={open} onOpenChange={setOpen} anchorRef={anchorRef} focusFirstItem={focusFirstItem} />
    </div>
  );
};
