import type { AdFilter } from '../../../../contract/ads.ts';
import type { Db } from '../../../db/pools.ts';
import { invalid } from '../../../errors.ts';
import { findCategory } from '../../categories/repository.ts';
import type { ListFilter } from './query-builder.ts';
import { parseSearch } from './words-repository.ts';

/**
 * Resolves the filters of a list: names to ids, words to a tsquery. Undefined if no ad can match, because a filter names
 * what does not exist. @throws {AppError} validation_failed
 */
export const resolveFilter = async (
  db: Db,
  { category: slugOrName, minPrice, maxPrice, search }: Omit<AdFilter, 'cursor' | 'limit'>,
): Promise<ListFilter | undefined> => {
  if (minPrice && maxPrice && Number(minPrice) > Number(maxPrice))
    throw invalid({ minPrice: 'The lowest price is above the highest' });
  const category = slugOrName ? await findCategory(db, slugOrName) : null;
  if (category === undefined) return undefined;
  return { categoryId: category?.id, minPrice, maxPrice, query: await parseSearch(db, search ?? '') };
};
