import { clsx as cn } from 'clsx';
import type { ComponentProps } from 'react';

export const Card = ({ className, ...props }: ComponentProps<'div'>) => (
  <div data-slot="card" className={cn('card', className)} {...props} />
);

interface BadgeProps extends ComponentProps<'span'> {
  variant?: 'neutral' | 'strong' | 'accent' | 'success' | 'warning' | 'destructive' | 'primary';
}

export const Badge = ({ className, variant = 'neutral', ...props }: BadgeProps) => (
  <span data-slot="badge" className={cn('badge', `badge-${variant}`, className)} {...props} />
);
