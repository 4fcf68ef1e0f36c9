import type { ComponentProps } from 'react';
import { cn } from '../lib/cn.ts';
import { CONTROL } from './control.ts';

/** Grows with its text where the browser can (field-sizing). */
export const Textarea = ({ className, rows = 3, ...props }: ComponentProps<'textarea'>) => (
  <textarea
    data-slot="textarea"
    rows={rows}
    // A field sized by its content takes no notice of `rows`.
    style={{ minHeight: `calc(${rows}lh + 1.375rem)` }}
    className={cn(CONTROL, 'field-sizing-content py-2.5', className)}
    {...props}
  />
);
