export const FILTER_NAMES = ['category', 'maxPrice', 'minPrice', 'search'] as const;
export type FilterName = (typeof FILTER_NAMES)[number];
export type Filters = Partial<Record<FilterName, string>>;

export const readFilters = (query: URLSearchParams): Filters =>
  Object.fromEntries(FILTER_NAMES.map((name) => [name, query.get(name)?.trim()]).filter(([, value]) => value));
