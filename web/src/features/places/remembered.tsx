// What only those see whose place is remembered, in a chunk of its own.
import { MapPin, X } from 'lucide-react';
import { Link } from 'react-router-dom';
import { formatDistance } from '../../../../contract/distance.ts';
import type { Filters } from '../../../../contract/filters.ts';
import { t } from '../../../../contract/i18n.ts';
import { useList } from '../../hooks/use-list.ts';
import { type RememberedPlace, rememberPlace } from '../../lib/remembered-place.ts';
import { useSiteConfig } from '../../lib/site-config.tsx';
import { useDistance } from './distances.ts';

/** "3 km · ", how far a place is from the remembered one; nothing for the same city. */
export const Distance = ({ from, to }: { from: string; to: string }) => {
  const { distanceUnit } = useSiteConfig();
  const rounded = useDistance(from, to);
  return rounded === 0 ? null : `${formatDistance(rounded, distanceUnit)} · `;
};

interface RememberedChipProps {
  place: RememberedPlace;
  filters: Filters;
  onChange: (changes: Filters) => void;
}

/** Applies the remembered place to the list, or forgets it. */
export const RememberedChip = ({ place: { near, radius, name }, filters, onChange }: RememberedChipProps) => {
  const { distanceUnit } = useSiteConfig();
  const { toChanged } = useList();
  const isApplied = filters.near === near && (filters.radius ?? '') === radius;
  const forget = () => {
    rememberPlace(null);
    if (filters.near === near) onChange({ near: '' });
  };
  return (
    <div className="flex min-h-11 shrink-0 items-stretch rounded-full md:min-h-10 border border-border bg-card text-sm font-medium has-[[aria-current]]:border-primary has-[[aria-current]]:bg-accent has-[[aria-current]]:text-accent-foreground">
      <Link
        to={toChanged({ near, radius })}
        aria-current={isApplied ? 'true' : undefined}
        className="flex items-center gap-2 rounded-s-full ps-3.5"
      >
        <MapPin className="size-4" />
        {radius
          ? t('list.nearWithin', { place: name, distance: formatDistance(radius, distanceUnit) })
          : t('list.near', { place: name })}
      </Link>
      <button
        type="button"
        aria-label={t('list.forget', { place: name })}
        onClick={forget}
        className="flex w-11 items-center justify-center rounded-e-full hover:bg-muted md:w-10"
      >
        <X className="size-4" />
      </button>
    </div>
  );
};
