import type { ComponentProps } from 'react';
import { cn } from '../lib/cn.ts';

/** A native checkbox in the theme's colour. */
export const Checkbox = ({ className, ...props }: Omit<ComponentProps<'input'>, 'type'>) => (
  <input
    data-slot="checkbox"
    type="checkbox"
    className={cn('size-5 shrink-0 rounded border-input accent-primary', className)}
    {...props}
  />
);
