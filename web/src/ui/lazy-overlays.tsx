import {
  Component,
  type ComponentProps,
  type ComponentType,
  type ReactNode,
  Suspense,
  useDeferredValue,
  useMemo,
  useRef,
  useState,
} from 'react';
import { t } from '../../../contract/i18n.ts';
import { lazyContent, preload } from '../lib/chunks.ts';
import { unlessOffline } from '../lib/online.ts';
import { Button } from './button.tsx';
import type { LazyMenuProps } from './menu-props.ts';
import { useToast } from './toast/toast.tsx';
import { Waiting } from './waiting.tsx';

interface OpenProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/**
 * A dialog, menu or drawer whose code loads when it first opens. If the code cannot be loaded, a toast reports it and
 * the overlay closes. The next opening tries again.
 */
export const lazyOverlay = <Props extends OpenProps>(load: () => Promise<ComponentType<Props>>) => {
  let Content = lazyContent<Props>(load);
  return (props: Props) => {
    const { onOpenChange } = props;
    // It opens after the frame that shows the press.
    const mayOpen = useDeferredValue(props.open);
    const open = props.open && mayOpen;
    const [wasOpened, setOpened] = useState(open);
    const toast = useToast();
    if (open && !wasOpened) setOpened(true);
    const handleError = () => {
      Content = lazyContent<Props>(load);
      setOpened(false);
      onOpenChange(false);
      toast.error(unlessOffline(t('shell.chunkFailed')));
    };
    const handleGiveUp = () => {
      setOpened(false);
      onOpenChange(false);
    };
    return wasOpened ? (
      <OverlayBoundary onError={handleError}>
        <Suspense fallback={<Waiting onGiveUp={handleGiveUp} />}>
          <Content {...props} open={open} />
        </Suspense>
      </OverlayBoundary>
    ) : null;
  };
};

class OverlayBoundary extends Component<{ onError: () => void; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError = () => ({ failed: true });
  override componentDidCatch(error: unknown) {
    console.error(error);
    this.props.onError();
  }
  override render() {
    return this.state.failed ? null : this.props.children;
  }
}

export const Dialog = lazyOverlay(() => import('./overlays.tsx').then((module) => module.DialogContent));

/** Confirms an action that cannot be undone. The focus starts on Cancel. */
export const AlertDialog = lazyOverlay(() => import('./overlays.tsx').then((module) => module.AlertDialogContent));

export const loadActionMenu = () => import('./menu.tsx').then((module) => module.ActionMenu);

interface MenuButtonProps<Extra> extends Pick<ComponentProps<typeof Button>, 'variant' | 'size'> {
  label: string;
  load: () => Promise<ComponentType<LazyMenuProps & Extra>>;
  /** Further props of the menu. */
  menu?: Extra;
  className?: string;
  children: ReactNode;
}

export const MenuButton = <Extra extends object>({
  label,
  load,
  menu,
  variant = 'ghost',
  size = 'icon',
  className,
  children,
}: MenuButtonProps<Extra>) => {
  const anchorRef = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const [focusFirstItem, setFocusFirstItem] = useState(false);
  const LazyMenu = useMemo(() => lazyOverlay(load), [load]);
  return (
    <div className="relative max-w-full">
      <Button
        ref={anchorRef}
        variant={variant}
        size={size}
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
      <LazyMenu
        {...(menu as Extra)}
        open={open}
        onOpenChange={setOpen}
        anchorRef={anchorRef}
        focusFirstItem={focusFirstItem}
      />
    </div>
  );
};
