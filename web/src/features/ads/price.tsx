import { formatPrice } from '../../../../contract/format-price.ts';
import { cn } from '../../lib/cn.ts';

/** Eight figures fit half a telephone, or the place beside a button, only when they are small. */
const LONG = 11;

export const Price = ({ price, className }: { price: string; className?: string }) => {
  const text = formatPrice(price);
  return (
    <p className={cn('font-semibold tabular-nums', text.length > LONG ? 'text-sm' : 'text-lg', className)}>{text}</p>
  );
};
