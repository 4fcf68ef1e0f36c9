import { clsx as cn } from 'clsx';
import type { ChangeEvent, ComponentProps, FocusEvent } from 'react';
import { parseAmount, toTyped } from '../../../contract/amount.ts';
import { padAmount } from '../../../contract/amount-rules.ts';
import { findPart } from '../../../contract/money.ts';
import { Input } from './form-controls.tsx';

/**
 * A field for an amount of money. When it loses the focus, it shows how the amount was understood. (A number field would
 * drop a comma: "12,50" would become 1250.)
 */
export const PriceInput = ({ className, onChange, onBlur, ...props }: ComponentProps<'input'>) => {
  const handleBlur = (event: FocusEvent<HTMLInputElement>) => {
    const { name, value } = event.target;
    const parsed = parseAmount(value);
    const amount = parsed && toTyped(parsed);
    if (amount !== undefined && amount !== value && !event.target.readOnly) {
      event.target.value = amount;
      onChange?.({ type: 'change', target: { name, value: amount } } as ChangeEvent<HTMLInputElement>);
    }
    onBlur?.(event);
  };
  const sign = findPart('currency');
  return (
    <div className="relative">
      <span aria-hidden="true" className="absolute top-1/2 start-3 -translate-y-1/2 text-muted-foreground">
        <bdi>{sign}</bdi>
      </span>
      <Input
        inputMode="decimal"
        placeholder={toTyped(padAmount('0'))}
        autoComplete="off"
        className={cn('tabular-nums', className)}
        style={{ paddingInlineStart: `${sign.length + 0.75}em` }}
        onChange={onChange}
        onBlur={handleBlur}
        {...props}
      />
    </div>
  );
};
