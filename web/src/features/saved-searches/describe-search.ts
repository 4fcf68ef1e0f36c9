import type { DistanceUnit } from '../../../../contract/attributes.ts';
import { describeFilters, type FilterNames, type Filters } from '../../../../contract/filters.ts';
import { t } from '../../../../contract/i18n.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { cutText } from '../../../../contract/text.ts';
import { describeDetails, listFilterableDetails } from '../ads/filters/describe-details.ts';

type Names = FilterNames & { distanceUnit: DistanceUnit };

/** All filters of a search in words, with its details. */
export const describeSearch = (filters: Filters, names: Names): string[] => [
  ...describeFilters(filters, names).map(({ words }) => words),
  ...describeDetails(listFilterableDetails(filters), filters, names.distanceUnit).map(({ label }) => label),
];

/** A name for a search with these filters: sofa, Furniture, up to $300. */
export const proposeName = (filters: Filters, names: Names): string => {
  const { search, ...rest } = filters;
  return cutText(
    [...(search ? [search] : []), ...describeSearch(rest, names)].join(t('searches.comma')),
    LIMITS.searchName,
  );
};
