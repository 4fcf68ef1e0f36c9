import { clsx as cn } from 'clsx';
import { Slot } from 'radix-ui';
import type { ComponentProps, MouseEvent } from 'react';

interface ButtonProps extends ComponentProps<'button'> {
  variant?: 'primary' | 'secondary' | 'inverse' | 'outline' | 'ghost' | 'destructive' | 'link';
  size?: 'md' | 'sm' | 'lg' | 'icon' | 'inline';
  /** Styles the only child, such as a link, instead of rendering a button. */
  asChild?: boolean;
  /** Ignores clicks while the last one is being handled. Unlike a disabled button, it keeps the focus. */
  busy?: boolean | undefined;
}

// Also prevents submitting: Enter in a field of the form clicks the submit button.
const ignore = (event: MouseEvent): void => event.preventDefault();

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
