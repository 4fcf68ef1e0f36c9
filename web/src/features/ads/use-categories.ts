import { CATEGORIES } from '../../../../contract/categories.ts';
import { type Category, listCategories } from '../../../../contract/stats.ts';
import { useApiQuery } from '../../api/query.ts';

/** The categories in their order: the server's, which it sends with the page, else those that every site begins with. */
export const useCategories = (): Category[] =>
  useApiQuery(listCategories, {}, { fallbackData: [...CATEGORIES] }).data ?? [];
