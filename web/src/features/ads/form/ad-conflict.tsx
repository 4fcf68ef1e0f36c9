import type { Ad } from '../../../../../contract/ads.ts';
import { formatDetail, getAttributes, stateDetail } from '../../../../../contract/attributes.ts';
import { CONDITIONS } from '../../../../../contract/conditions.ts';
import { type TextKey, t } from '../../../../../contract/i18n.ts';
import { PRICE_TYPES } from '../../../../../contract/prices.ts';
import type { Category } from '../../../../../contract/stats.ts';
import { useSiteConfig } from '../../../lib/site-config.tsx';
import { ConflictDialog } from '../../../ui/version-conflict.tsx';
import { type AdValues, toAdValues } from './ad-values.ts';

const FIELDS: Record<Exclude<keyof AdValues, 'placeId' | 'details' | 'imageUrls'>, TextKey> = {
  title: 'post.title',
  description: 'post.description',
  price: 'post.price',
  priceType: 'post.kindOfPrice',
  category: 'post.category',
  condition: 'post.condition',
  location: 'post.location',
  externalLink: 'post.externalLink',
  allowMessages: 'post.messagesAllowed',
};

interface AdConflictDialogProps {
  open: boolean;
  onOpenChange: () => void;
  /** The ad as it was when the form opened, which numbers the photos. */
  opened: Ad;
  mine: AdValues;
  saved: Ad | undefined;
  categories: readonly Category[];
  onKeepMine: () => void;
  onTakeSaved: () => void;
}

/** Shows what somebody typed beside what was saved elsewhere meanwhile. */
export const AdConflictDialog = ({ opened, mine, saved, categories, ...props }: AdConflictDialogProps) => {
  const { distanceUnit } = useSiteConfig();
  const labels: Partial<Record<string, Partial<Record<string, string>>>> = {
    priceType: PRICE_TYPES,
    condition: CONDITIONS,
    category: Object.fromEntries(categories.map(({ slug, name }) => [slug, name])),
  };

  const describeDetails = ({ category, details }: AdValues): string => {
    return getAttributes(category)
      .flatMap((attribute) => {
        const value = details[attribute.key]?.trim();
        return value ? [stateDetail(attribute, formatDetail(attribute, value, distanceUnit))] : [];
      })
      .join('\n');
  };
  const describePhoto = (url: string): string => {
    const position = opened.imageUrls.indexOf(url);
    if (position >= 0) return t('photos.numbered', { number: position + 1 });
    return mine.imageUrls.includes(url) ? t('post.newPhoto') : t('post.otherPhoto');
  };
  const toRows = (values: AdValues): [field: string, text: string][] => [
    ...Object.entries(FIELDS).map(([name, key]): [string, string] => {
      const label = t(key);
      const value = values[name as keyof typeof FIELDS];
      if (typeof value === 'boolean') return [label, value ? t('post.yes') : t('post.no')];
      return [label, labels[name]?.[value] ?? value.trim()];
    }),
    [t('post.details'), describeDetails(values)],
    [t('photos.photos'), values.imageUrls.map(describePhoto).join('\n')],
  ];

  return (
    <ConflictDialog
      title={t('post.conflictTitle')}
      mine={toRows(mine)}
      saved={saved && toRows(toAdValues(saved))}
      onKeepMine={props.onKeepMine}
      onTakeSaved={props.onTakeSaved}
      onClose={props.onOpenChange}
    />
  );
};
