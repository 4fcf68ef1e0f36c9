import type { Ad } from '../../../../contract/ads.ts';
import { type Category, getCategory, getCategoryStats, listCategories } from '../../../../contract/stats.ts';
import { useApiQuery } from '../../api/query.ts';

/** The server's categories in order, which every page brings along. */
export const useCategories = (): Category[] => useApiQuery(listCategories, {}, { freshMs: Infinity }).data ?? [];

/** Those with most ads first. */
export const usePopularCategories = (): Category[] => {
  const categories = useCategories();
  const { data: counts = {} } = useApiQuery(getCategoryStats, {});
  return [...categories].sort((a, b) => (counts[b.name] ?? 0) - (counts[a.name] ?? 0));
};

/** What the category is called. Only a disabled one has to be asked for. */
export const useCategoryName = (slug: string | undefined): string | undefined => {
  const known = useCategories().find((category) => category.slug === slug);
  const { data } = useApiQuery(getCategory, slug && !known ? { params: { slug } } : null);
  return (known ?? data)?.name ?? slug;
};

/** The categories to choose for an ad: its own stays possible when that is disabled. */
export const useCategoriesOf = ({ category: name, categorySlug: slug }: Ad): Category[] => {
  const categories = useCategories();
  const isOpen = categories.some((category) => category.slug === slug);
  return isOpen ? categories : [...categories, { slug, name, emoji: '', icon: null }];
};
