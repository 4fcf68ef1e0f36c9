import type { ComponentProps } from 'react';
import { cn } from '../lib/cn.ts';

export const Card = ({ className, ...props }: ComponentProps<'div'>) => (
  <div data-slot="card" className={cn('rounded-card border border-border bg-card p-4 sm:p-6', className)} {...props} />
);
