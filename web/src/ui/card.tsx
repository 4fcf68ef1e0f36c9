import type { ComponentProps } from 'react';
import { cn } from '../lib/cn.ts';

export const Card = ({ className, ...props }: ComponentProps<'div'>) => (
  <div data-slot="card" className={cn('card', className)} {...props} />
);
