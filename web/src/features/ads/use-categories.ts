import { CATEGORIES } from '../../../../contract/categories.ts';
import { type Category, listCategories } from '../../../../contract/stats.ts';
import { useCall } from '../../api/query.ts';

/** The categories in their order: the server's, which it sends with the page, else those that every site begins with. */
export const useCategories = (): Category[] =>
  useCall(listCategories, {}, { fallbackData: [...CATEGORIES] }).data ?? [];
