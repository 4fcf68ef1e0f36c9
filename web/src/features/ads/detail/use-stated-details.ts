import type { Ad } from '../../../../../contract/ads.ts';
import { formatDetail, getAttributes } from '../../../../../contract/attributes.ts';
import { CONDITIONS } from '../../../../../contract/conditions.ts';
import { t } from '../../../../../contract/i18n.ts';
import { useSiteConfig } from '../../../lib/site-config.tsx';

/** The condition and the details that the seller stated, as label and text. */
export const useStatedDetails = (ad: Ad): [label: string, text: string][] => {
  const { distanceUnit } = useSiteConfig();
  const rows = getAttributes(ad.categorySlug).flatMap((attribute): [string, string][] => {
    const value = ad.details[attribute.key];
    return value === undefined ? [] : [[t(attribute.label), formatDetail(attribute, value, distanceUnit)]];
  });
  return ad.condition ? [[t('ad.condition'), CONDITIONS[ad.condition]], ...rows] : rows;
};
