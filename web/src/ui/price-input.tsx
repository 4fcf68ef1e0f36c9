import { clsx as cn } from 'clsx';
import type { ChangeEvent, ComponentProps, FocusEvent } from 'react';
import { parseAmount } from '../../../contract/amount.ts';
import { Input } from './form-controls.tsx';

/**
 * A field for an amount of money. When it loses the focus, it shows how the amount was understood. (A number field would
 * drop a comma: "12,50" would become 1250.)
 */
export const PriceInput = ({ className, onChange, onBlur, ...props }: ComponentProps<'input'>) => {
  const handleBlur = (event: FocusEvent<HTMLInputElement>) => {
    const { name, value } = event.target;
    const amount = parseAmount(value);
    if (amount !== undefined && amount !== value && !event.target.readOnly) {
      event.target.value = amount;
      onChange?.({ type: 'change', target: { name, value: amount } } as ChangeEvent<HTMLInputElement>);
    }
    onBlur?.(event);
  };
  return (
    <div className="relative">
      <span aria-hidden="true" className="absolute top-1/2 left-3 -translate-y-1/2 text-muted-foreground">
        $
      </span>
      <Input
        inputMode="decimal"
        placeholder="0.00"
        autoComplete="off"
        className={cn('pl-7 tabular-nums', className)}
        onChange={onChange}
        onBlur={handleBlur}
        {...props}
      />
    </div>
  );
};
