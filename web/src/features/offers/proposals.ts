const PERCENTS = [10, 15, 20];

export interface Proposal {
  percent: number;
  amount: string;
}

/** What a buyer may want to offer: whole amounts some percent below the price, without those that rounding makes equal. */
export const proposeOffers = (price: string): Proposal[] => {
  const taken = new Set([0, Number(price)]);
  return PERCENTS.flatMap((percent) => {
    const amount = Math.round((Number(price) * (100 - percent)) / 100);
    if (taken.has(amount)) return [];
    taken.add(amount);
    return [{ percent, amount: String(amount) }];
  });
};
