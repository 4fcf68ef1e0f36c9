import { speaking, t } from '../../../contract/i18n.ts';
import { type Language, toLocale, WRITTEN_LANGUAGES } from '../../../contract/languages.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { type Currency, formatPrice } from '../../../contract/money.ts';
import { cutText } from '../../../contract/text.ts';
import type { Trx } from '../../db/pools.ts';
import { readTexts } from '../../lib/catalogs.ts';
import { BATCH, listBoundedSearches, renameSearch } from './repository.ts';

const BOUNDS = { minPrice: 'list.from', maxPrice: 'list.upTo' } as const;
type Bound = keyof typeof BOUNDS;

/** "up to $300", as the form proposes it in the name of a search. */
const sayBound = (bound: Bound, price: string, currency: Currency, language: Language): string =>
  speaking(readTexts(language), () =>
    t(BOUNDS[bound], { price: formatPrice(price, { currency, locale: toLocale(language) }) }),
  );

type Prices = Readonly<Record<string, string>>;

/** The name of a saved search after its prices have changed, if it says them as the form proposes it in one of the languages. */
const followPrices = (
  name: string,
  [before, now]: readonly [Prices, Prices],
  [from, to]: readonly [Currency, Currency],
): string =>
  (Object.keys(BOUNDS) as Bound[]).reduce((said, bound) => {
    const [old, present] = [before[bound], now[bound]];
    if (old === undefined || present === undefined) return said;
    const found = WRITTEN_LANGUAGES.find((language) => said.includes(sayBound(bound, old, from, language)));
    return found ? said.replace(sayBound(bound, old, from, found), () => sayBound(bound, present, to, found)) : said;
  }, name);

/** Converts the bounds of the next searches by `convert`. Their names follow. */
export const keepNames = async <R>(
  trx: Trx,
  after: string,
  currencies: readonly [from: Currency, to: Currency],
  convert: () => Promise<R>,
): Promise<R> => {
  const before = await listBoundedSearches(trx, after, BATCH);
  const result = await convert();
  const now = new Map((await listBoundedSearches(trx, after, BATCH)).map(({ id, filters }) => [id, filters]));
  for (const { id, name, filters } of before) {
    const renamed = followPrices(name, [filters, now.get(id) ?? {}], currencies);
    if (renamed !== name) await renameSearch(trx, id, cutText(renamed, LIMITS.searchName));
  }
  return result;
};
