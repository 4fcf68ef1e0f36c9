import { once } from './once.ts';

const usd = once(
  () =>
    new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency: 'USD',
      trailingZeroDisplay: 'stripIfInteger',
    }),
);

/** A price from the API ("1200.00") as people read it: "$1,200", "$9.50". */
export const formatPrice = (price: string | number): string => usd().format(Number(price));
