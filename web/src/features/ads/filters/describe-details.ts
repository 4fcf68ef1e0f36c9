import {
  type Attribute,
  type DistanceUnit,
  formatDetail,
  getAttributes,
  stateDetail,
} from '../../../../../contract/attributes.ts';
import type { DetailFilterName, Filters } from '../../../../../contract/filters.ts';
import { t } from '../../../../../contract/i18n.ts';

/** The details by which ads of the chosen category can be filtered. */
export const listFilterableDetails = ({ category = '' }: Filters): Attribute[] =>
  getAttributes(category).filter(({ isFilterable }) => isFilterable);

export const toDetailName = (key: string, bound?: 'min' | 'max'): DetailFilterName =>
  `d.${key}${bound ? `.${bound}` : ''}`;

interface DescribedDetail {
  key: string;
  /** "Year: from 2010 up to 2015", "Fuel: Diesel". */
  label: string;
  /** The changes that remove it. */
  without: Filters;
}

/** The filters by details as people read them. */
export const describeDetails = (
  details: readonly Attribute[],
  filters: Filters,
  distanceUnit: DistanceUnit,
): DescribedDetail[] =>
  details.flatMap((attribute) => {
    const { key } = attribute;
    const [equal, min, max] = [toDetailName(key), toDetailName(key, 'min'), toDetailName(key, 'max')];
    const format = (name: DetailFilterName) => formatDetail(attribute, filters[name] ?? '', distanceUnit);
    const parts = [
      filters[equal] && format(equal),
      filters[min] && t('list.from', { price: format(min) }),
      filters[max] && t('list.upTo', { price: format(max) }),
    ].filter(Boolean);
    if (parts.length === 0) return [];
    return [{ key, label: stateDetail(attribute, parts.join(' ')), without: { [equal]: '', [min]: '', [max]: '' } }];
  });
