import { getLocale } from './i18n.ts';

/** "10 km", "10 miles": a number in the unit of the setting `distanceUnit`. */
export const formatDistance = (distance: number | string, unit: string): string =>
  Number(distance).toLocaleString(getLocale(), {
    style: 'unit',
    ...(unit === 'km' ? { unit: 'kilometer' } : { unit: 'mile', unitDisplay: 'long' }),
  });
