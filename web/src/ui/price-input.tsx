import { clsx as cn } from 'clsx';
import type { ComponentProps } from 'react';
import { Input } from './form-controls.tsx';

/** A field for an amount of money. */
export const PriceInput = ({ className, ...props }: ComponentProps<'input'>) => (
  <div className="relative">
    <span aria-hidden="true" className="absolute top-1/2 left-3 -translate-y-1/2 text-muted-foreground">
      $
    </span>
    <Input
      type="number"
      inputMode="decimal"
      min={0}
      step={0.01}
      placeholder="0.00"
      className={cn('pl-7 tabular-nums', className)}
      // Scrolling the page with the wheel must not change the price.
      onWheel={(event) => event.currentTarget.blur()}
      {...props}
    />
  </div>
);
