import { ExternalLink } from 'lucide-react';
import { t } from '../../../../../contract/i18n.ts';
import { useRememberedPlace } from '../../../lib/remembered-place.ts';
import { useSiteConfig } from '../../../lib/site-config.tsx';
import { useDistance } from '../../places/distances.ts';

interface AdPlaceProps {
  placeId: string;
  location: string;
}

/** How far the city of an ad is from the reader's, and where: the seller's address is nobody's business before a deal. */
export const AdPlace = ({ placeId, location }: AdPlaceProps) => {
  const { distanceUnit: unit } = useSiteConfig();
  const remembered = useRememberedPlace();
  const distance = useDistance(remembered?.near, placeId);
  return (
    <p className="flex flex-wrap gap-x-4 text-sm text-muted-foreground">
      <a
        href={`https://www.openstreetmap.org/search?${new URLSearchParams({ query: location })}`}
        target="_blank"
        rel="noopener noreferrer"
        className="inline-flex min-h-6 items-center gap-1.5 text-link"
      >
        {t('ad.onMap')}
        <ExternalLink aria-hidden="true" className="size-3.5" />
      </a>
      {remembered && distance > 0 ? (
        <span className="leading-6">{t('ad.about', { distance, unit, place: remembered.name })}</span>
      ) : null}
    </p>
  );
};
