import type { Ad } from '../../../../contract/ads.ts';
import { getLanguage } from '../../../../contract/i18n.ts';
import { type Category, getCategory, getCategoryStats, listCategories } from '../../../../contract/stats.ts';
import { useApiQuery } from '../../api/query.ts';

/** The server's categories in order, which every page brings along. */
export const useCategories = (): Category[] =>
  useApiQuery(listCategories, { query: { language: getLanguage() } }, { freshMs: Infinity }).data ?? [];

/** What a category is called in the language of the page. `name` is that of the JSON, of a disabled category the only one known. */
export const CategoryName = ({ slug, name }: Pick<Category, 'slug' | 'name'>): string =>
  useCategories().find((category) => category.slug === slug)?.name ?? name;

/** Those with most ads first. */
export const usePopularCategories = (): Category[] => {
  const categories = useCategories();
  const { data: counts = {} } = useApiQuery(getCategoryStats, { query: { by: 'slug' } });
  return [...categories].sort((a, b) => (counts[b.slug] ?? 0) - (counts[a.slug] ?? 0));
};

/** What the category is called. Only a disabled one has to be asked for. */
export const useCategoryName = (slug: string | undefined): string | undefined => {
  const known = useCategories().find((category) => category.slug === slug);
  const { data } = useApiQuery(
    getCategory,
    slug && !known ? { params: { slug }, query: { language: getLanguage() } } : null,
  );
  return (known ?? data)?.name ?? slug;
};

/** The categories to choose for an ad: its own stays possible when that is disabled. */
export const useCategoriesOf = ({ category: name, categorySlug: slug }: Ad): Category[] => {
  const categories = useCategories();
  const isOpen = categories.some((category) => category.slug === slug);
  return isOpen ? categories : [...categories, { slug, name, emoji: '', icon: null }];
};
