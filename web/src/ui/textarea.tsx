import type { ComponentProps } from 'react';
import { cn } from '../lib/cn.ts';
import { CONTROL } from './control.ts';

/** Grows with its text where the browser can (field-sizing). */
export const Textarea = ({ className, ...props }: ComponentProps<'textarea'>) => (
  <textarea data-slot="textarea" className={cn(CONTROL, 'field-sizing-content py-2.5', className)} {...props} />
);
