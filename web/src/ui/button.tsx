import { Slot } from 'radix-ui';
import type { ComponentProps, MouseEvent } from 'react';
import { cn } from '../lib/cn.ts';

interface ButtonProps extends ComponentProps<'button'> {
  variant?: 'primary' | 'secondary' | 'inverse' | 'outline' | 'ghost' | 'destructive' | 'link';
  size?: 'md' | 'sm' | 'lg' | 'icon' | 'inline';
  /** Styles the only child, such as a link, instead of rendering a button. */
  asChild?: boolean;
  /** The last click is still being handled: ignores others, but keeps the focus, which a disabled button loses. */
  busy?: boolean | undefined;
}

// Also for a submit button: Enter in a field of its form triggers a click on it.
const ignore = (event: MouseEvent): void => event.preventDefault();

/** A button in one of the looks of styles/components.css. */
export const Button = ({
  className,
  variant = 'primary',
  size = 'md',
  asChild = false,
  busy,
  type,
  onClick,
  ...props
}: ButtonProps) => {
  const Component = asChild ? Slot.Root : 'button';
  return (
    <Component
      data-slot="button"
      type={asChild ? undefined : (type ?? 'button')}
      aria-disabled={busy || undefined}
      className={cn('button', `button-${variant}`, `button-${size}`, className)}
      onClick={busy ? ignore : onClick}
      {...props}
    />
  );
};
