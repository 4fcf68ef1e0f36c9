import { type ComponentType, type ReactNode, type RefObject, useMemo, useRef, useState } from 'react';
import { preload } from '../lib/chunks.ts';
import { Button } from './button.tsx';
import { lazyOverlay } from './lazy-overlays.tsx';

export interface LazyMenuProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  anchorRef: RefObject<HTMLButtonElement | null>;
  focusFirstItem: boolean;
}

interface MenuButtonProps {
  label: string;
  load: () => Promise<ComponentType<LazyMenuProps>>;
  className?: string;
  children: ReactNode;
}

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
          // A click from the keyboard has a count of 0.
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
