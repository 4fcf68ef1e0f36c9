import type { ComponentProps } from 'react';
import { cn } from '../lib/cn.ts';

interface BadgeProps extends ComponentProps<'span'> {
  variant?: 'neutral' | 'strong' | 'accent' | 'success' | 'warning' | 'destructive' | 'primary';
}

export const Badge = ({ className, variant = 'neutral', ...props }: BadgeProps) => (
  <span data-slot="badge" className={cn('badge', `badge-${variant}`, className)} {...props} />
);
