import type { ComponentProps } from 'react';
import { cn } from '../lib/cn.ts';
import { CONTROL } from './control.ts';

export const Input = ({ className, ...props }: ComponentProps<'input'>) => (
  <input data-slot="input" className={cn(CONTROL, 'h-11 md:h-10', className)} {...props} />
);
