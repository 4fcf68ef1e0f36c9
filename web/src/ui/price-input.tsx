import { clsx as cn } from 'clsx';
import type { ChangeEvent, ComponentProps, FocusEvent } from 'react';
import { parseAmount, toTyped } from '../../../contract/amount.ts';
import { padAmount } from '../../../contract/amount-rules.ts';
import { findPart, formatMoney, getMoney } from '../../../contract/money.ts';
import { Input } from './form-controls.tsx';

/** Whether the sign stands behind the number, as in "12 €". */
const isSignLast = (): boolean => {
  const types = formatMoney(getMoney())
    .formatToParts(1)
    .map(({ type }) => type);
  return types.indexOf('currency') > types.indexOf('integer');
};

/**
 * A field for an amount of money, with the sign where the language puts it. When it loses the focus, it shows how the amount was understood. (A number field would
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
  const isLast = isSignLast();
  const room = `${sign.length + 0.75}em`;
  return (
    <div className="relative">
      <span
        aria-hidden="true"
        className={cn('absolute top-1/2 -translate-y-1/2 text-muted-foreground', isLast ? 'end-3' : 'start-3')}
      >
        <bdi>{sign}</bdi>
      </span>
      <Input
        inputMode="decimal"
        placeholder={toTyped(padAmount('0'))}
        autoComplete="off"
        className={cn('tabular-nums', className)}
        style={isLast ? { paddingInlineEnd: room } : { paddingInlineStart: room }}
        onChange={onChange}
        onBlur={handleBlur}
        {...props}
      />
    </div>
  );
};
