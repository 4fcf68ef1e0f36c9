import { cva, type VariantProps } from 'class-variance-authority';
import { Slot } from 'radix-ui';
import type { ComponentProps, MouseEvent } from 'react';
import { cn } from '../lib/cn.ts';

export const buttonVariants = cva(
  "inline-flex shrink-0 items-center justify-center gap-2 max-w-full rounded-control font-medium transition-colors duration-150 disabled:pointer-events-none disabled:opacity-55 aria-disabled:opacity-55 [&_svg]:shrink-0 [&_svg:not([class*='size-'])]:size-4",
  {
    variants: {
      variant: {
        primary: 'bg-primary text-primary-foreground hover:bg-primary/88',
        secondary: 'bg-muted text-foreground hover:bg-border',
        outline: 'border border-input bg-card text-foreground hover:bg-muted',
        ghost: 'text-foreground hover:bg-muted',
        destructive: 'bg-destructive text-destructive-foreground hover:bg-destructive/88',
        link: 'text-primary underline-offset-4 hover:underline',
      },
      size: {
        md: 'min-h-11 px-4 py-2 text-base md:min-h-10 md:text-sm',
        sm: 'min-h-11 px-3 py-1 text-sm md:min-h-9',
        lg: 'min-h-12 px-6 py-2 text-base',
        icon: 'size-11 md:size-10',
        inline: 'p-0',
      },
    },
    defaultVariants: { variant: 'primary', size: 'md' },
  },
);

interface Extras {
  asChild?: boolean;
  /** At work on the last click: takes no other, and keeps the focus, which a disabled button loses for good. */
  busy?: boolean;
}

type ButtonProps = ComponentProps<'button'> & VariantProps<typeof buttonVariants> & Extras;

// Also of a form's button: Enter in one of its fields counts as a click on that.
const ignore = (event: MouseEvent): void => event.preventDefault();

export const Button = ({ className, variant, size, asChild = false, busy, type, onClick, ...props }: ButtonProps) => {
  const Component = asChild ? Slot.Root : 'button';
  return (
    <Component
      data-slot="button"
      type={asChild ? undefined : (type ?? 'button')}
      aria-disabled={busy || undefined}
      className={cn(buttonVariants({ variant, size }), className)}
      onClick={busy ? ignore : onClick}
      {...props}
    />
  );
};
