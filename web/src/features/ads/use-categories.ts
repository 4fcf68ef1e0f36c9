import { CATEGORIES } from '../../../../contract/categories.ts';
import { type Category, listCategories } from '../../../../contract/stats.ts';
import { useApiQuery } from '../../api/query.ts';

/** The server's categories in order, or the built-in ones if the page has none. */
export const useCategories = (): Category[] =>
  useApiQuery(listCategories, {}, { fallbackData: [...CATEGORIES] }).data ?? [];
