import { type Currency, getMoney } from '../../../../contract/money.ts';

const PERCENTS = [10, 15, 20];

export interface Proposal {
  percent: number;
  amount: string;
}

/** Offers are rounded to whole dollars, tens of yen, tenths of a dinar: so many of these make one unit. */
const toSteps = ({ decimals, digits }: Currency): number => (digits > 8 ? 0.1 : decimals > 2 ? 10 : 1);

/** What a buyer may want to offer: round amounts some percent below the price, without those that rounding makes equal. */
export const proposeOffers = (price: string): Proposal[] => {
  const steps = toSteps(getMoney().currency);
  const taken = new Set([0, Number(price)]);
  return PERCENTS.flatMap((percent) => {
    const amount = Number((Math.round(((Number(price) * (100 - percent)) / 100) * steps) / steps).toFixed(1));
    if (taken.has(amount) || amount > Number(price)) return [];
    taken.add(amount);
    return [{ percent, amount: String(amount) }];
  });
};
