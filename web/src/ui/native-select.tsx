import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cn } from '../lib/cn.ts';
import { CONTROL } from './control.ts';

/** The platform's own picker: the best one on phones, and it costs nothing. */
export const NativeSelect = ({ className, ...props }: ComponentProps<'select'>) => (
  <div data-slot="native-select" className={cn('relative', className)}>
    <select className={cn(CONTROL, 'h-11 appearance-none pr-9 md:h-10')} {...props} />
    <ChevronDown
      aria-hidden="true"
      className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted-foreground"
    />
  </div>
);
