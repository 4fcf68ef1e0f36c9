import type { Phrase } from '../../../contract/i18n.ts';
import { PRICE_RULES } from '../../../contract/prices.ts';
import type { Trx } from '../../db/pools.ts';
import type { AdRow, CategoryRow } from '../../db/rows.ts';
import { AppError } from '../../errors.ts';
import { findMedianPrice } from './prices-repository.ts';

/** A price of more than so many times the median of its category is unusual. No price up to this is, so that most need no query. */
const TIMES = 1000;
/** Where the category has too few ads to say, and things of any kind are compared: so many times more. */
const OF_ANY_KIND = 100;

type Priced = Pick<AdRow, 'price' | 'price_type'>;

/** Why the person is asked whether they mean this price; undefined if it is a usual one. `median`: of the category, if it is known. */
export const findOddity = (
  { price, price_type }: Priced,
  category: string,
  median: number | null,
): Phrase | undefined => {
  if (Number(price) === 0 && !PRICE_RULES[price_type].isFree) return { key: 'errors.zeroPrice' };
  if (median !== null && Number(price) > TIMES * median) return { key: 'errors.highPrice', values: { category } };
  return undefined;
};

const estimate = async (trx: Trx, { price }: Priced): Promise<number | null> => {
  const median = Number(price) > TIMES * OF_ANY_KIND ? await findMedianPrice(trx) : null;
  return median === null ? null : median * OF_ANY_KIND;
};

/** @throws {AppError} odd_price */
export const checkPrice = async (trx: Trx, ad: Priced, { id, name }: CategoryRow): Promise<void> => {
  const median = Number(ad.price) > TIMES ? ((await findMedianPrice(trx, id)) ?? (await estimate(trx, ad))) : null;
  const oddity = findOddity(ad, name, median);
  if (oddity !== undefined) throw new AppError('odd_price', { ...oddity, fields: { price: oddity } });
};
