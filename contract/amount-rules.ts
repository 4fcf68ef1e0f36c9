import { type Currency, formatMoney, formatPrice, getMoney, type Money } from './money.ts';

/** The largest amount, in the form of the API: "99999999.99". */
export const maxAmount = ({ decimals, digits }: Currency = getMoney().currency): string =>
  padAmount('9'.repeat(digits), { decimals }, '9');

/** An amount with all decimals of the currency, as it is stored: "12.5" → "12.50". */
export const padAmount = (
  amount: string,
  { decimals }: Pick<Currency, 'decimals'> = getMoney().currency,
  by = '0',
): string => {
  const [whole = '', part = ''] = amount.split('.');
  return decimals > 0 ? `${whole}.${part.padEnd(decimals, by)}` : whole;
};

/** 1200.5 → "1,200.50". */
const formatAmount = (amount: number, money: Money): string => formatMoney(money, { style: 'decimal' }).format(amount);

/** Amounts that a person may type, and the largest: 25, 9.50 (if the currency has decimals), 1,250 and 99,999,999.99. */
export const nameAmounts = (money: Money = getMoney()) => ({
  small: formatAmount(25, money),
  part: formatAmount(9.5, money),
  large: formatAmount(1250, money),
  most: formatAmount(Number(maxAmount(money.currency)), money),
});

const SHORTEN_FROM = 100_000;

/** 1200.5 → "$1,200.50", 5638243.94 → "$5.6M". */
export const formatShortPrice = (price: number, money: Money = getMoney()): string =>
  price < SHORTEN_FROM
    ? formatPrice(price, money)
    : formatMoney(money, { notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 1 }).format(price);

/** The smallest amount above 0: "0.01". */
export const minAmount = ({ decimals }: Currency = getMoney().currency): string =>
  decimals > 0 ? `0.${'1'.padStart(decimals, '0')}` : '1';
