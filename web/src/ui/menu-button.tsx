import { type ComponentType, type ReactNode, Suspense, useMemo, useRef, useState } from 'react';
import { lazyWithRetry, preload } from '../app/startup/chunks.ts';
import { Button } from './button.tsx';

export interface LazyMenuProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  button: React.RefObject<HTMLButtonElement | null>;
  viaKeyboard: boolean;
}

interface MenuButtonProps {
  label: string;
  /** Loads the menu: on hover or focus ahead of time, at the latest with the click. */
  load: () => Promise<ComponentType<LazyMenuProps>>;
  className?: string;
  children: ReactNode;
}

/** A button whose menu is loaded when somebody is about to need it. */
export const MenuButton = ({ label, load, className, children }: MenuButtonProps) => {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const [needed, setNeeded] = useState(false);
  const [viaKeyboard, setViaKeyboard] = useState(false);
  const LazyMenu = useMemo(() => lazyWithRetry(load), [load]);
  return (
    <div className="relative">
      <Button
        ref={button}
        variant="ghost"
        size="icon"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        className={className}
        onPointerEnter={preload(load)}
        onFocus={preload(load)}
        onClick={(event) => {
          setNeeded(true);
          // A click made by a key counts no presses.
          setViaKeyboard(event.detail === 0);
          setOpen(!open);
        }}
      >
        {children}
      </Button>
      {needed ? (
        <Suspense fallback={null}>
          <LazyMenu open={open} onOpenChange={setOpen} button={button} viaKeyboard={viaKeyboard} />
        </Suspense>
      ) : null}
    </div>
  );
};
