import { type DetailFilter, readDetailFilters } from '../../../../contract/attributes.ts';
import type { AdFilter } from '../../../../contract/filters.ts';
import type { Phrase } from '../../../../contract/i18n.ts';
import type { Db } from '../../../db/pools.ts';
import { invalid } from '../../../errors.ts';
import { findCategory } from '../../categories/repository.ts';
import { toNear } from '../../places/distance.ts';
import { findPosition } from '../../places/repository.ts';
import { readSettings } from '../../settings/repository.ts';
import type { ListFilter } from './filters.ts';
import type { TextQuery } from './words/compose.ts';
import { foldDetails } from './words-repository.ts';

type Given = Partial<Omit<AdFilter, 'cursor' | 'limit'>>;

const CHOOSE_PLACE: Phrase = { key: 'errors.choosePlace' };

/** What is wrong with parameters that depend on each other, by their names. */
const listProblems = ({ minPrice, maxPrice, near, radius, sort }: Given): Record<string, Phrase> => ({
  ...(minPrice && maxPrice && Number(minPrice) > Number(maxPrice) && { minPrice: { key: 'errors.lowestPrice' } }),
  ...(radius && !near && { radius: CHOOSE_PLACE }),
  ...(sort === 'nearest' && !near && { sort: CHOOSE_PLACE }),
});

/** Texts are compared without case and accents. */
const foldTexts = async (db: Db, filters: readonly DetailFilter[]): Promise<DetailFilter[]> => {
  const texts = filters.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  const folded = await foldDetails(db, texts);
  return filters.map((filter) =>
    typeof filter.value === 'string' ? { ...filter, value: folded[texts.indexOf(filter.value)]! } : filter,
  );
};

/** The words of a filter. */
export const toWordFilter = (found: TextQuery | null): Pick<ListFilter, 'query' | 'queryAds' | 'nextAds' | 'ranks'> =>
  found ? { query: found.text, queryAds: found.ads, nextAds: found.nextAds, ranks: found.ranks } : {};

/**
 * Resolves the filters of a list apart from its words: names to ids, the radius to a distance. Undefined if no ad can
 * match, because a filter names what does not exist. @throws {AppError} validation_failed
 */
export const resolveFilter = async (db: Db, given: Given): Promise<ListFilter | undefined> => {
  const { category: slugOrName, near, radius, minPrice, maxPrice } = given;
  const category = slugOrName ? await findCategory(db, slugOrName) : null;
  // an unknown category has no ads, whatever its details
  const details = category === undefined ? undefined : readDetailFilters(category?.slug, given.details ?? {});
  const filters = details?.filters ?? [];
  const problems = { ...listProblems(given), ...details?.problems };
  if (Object.keys(problems).length > 0) throw invalid(problems);
  const position = near ? await findPosition(db, near) : null;
  if (category === undefined || position === undefined) return undefined;
  const toStart = async () => position && toNear(position, radius, (await readSettings(db)).distanceUnit);
  return {
    categoryId: category?.id,
    minPrice,
    maxPrice,
    conditions: given.condition,
    priceTypes: given.priceType,
    isUnsold: given.hideSold || undefined,
    hasPhotos: given.withPhotos || undefined,
    details: filters.length > 0 ? await foldTexts(db, filters) : undefined,
    near: (await toStart()) ?? undefined,
  };
};
