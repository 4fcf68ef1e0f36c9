import { clsx as cn } from 'clsx';
import type { ComponentProps, MouseEvent } from 'react';
import { Link, type LinkProps } from 'react-router-dom';

interface Look {
  variant?: 'primary' | 'secondary' | 'inverse' | 'outline' | 'ghost' | 'destructive' | 'link';
  size?: 'md' | 'sm' | 'lg' | 'icon' | 'inline';
  className?: string;
}

const toClassName = ({ variant = 'primary', size = 'md', className }: Look): string =>
  cn('button', `button-${variant}`, `button-${size}`, className);

// Also prevents submitting: Enter in a field of the form clicks the submit button.
const ignore = (event: MouseEvent): void => event.preventDefault();

interface ButtonProps extends Look, ComponentProps<'button'> {
  /** Ignores clicks while the last one is being handled. Unlike a disabled button, it keeps the focus. */
  busy?: boolean | undefined;
}

export const Button = ({ variant, size, className, busy, type = 'button', onClick, ...props }: ButtonProps) => (
  <button
    data-slot="button"
    type={type}
    aria-disabled={busy || undefined}
    className={toClassName({ variant, size, className })}
    onClick={busy ? ignore : onClick}
    {...props}
  />
);

/** A link that looks like a button, to a page or to the address of another site. */
export const LinkButton = ({ variant, size, className, ...props }: Look & LinkProps) => (
  <Link data-slot="button" className={toClassName({ variant, size, className })} {...props} />
);
