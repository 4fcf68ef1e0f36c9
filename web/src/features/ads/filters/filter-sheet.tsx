import { LocateFixed } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { CONDITIONS } from '../../../../../contract/conditions.ts';
import { formatDistance } from '../../../../../contract/distance.ts';
import { type Filters, PRICE_TYPE_FILTERS, RADIUSES } from '../../../../../contract/filters.ts';
import { t } from '../../../../../contract/i18n.ts';
import { findNearestPlace } from '../../../../../contract/place-search.ts';
import { getPlace, type Place } from '../../../../../contract/places.ts';
import { apiRequest, hasStatus } from '../../../api/client.ts';
import { useApiQuery } from '../../../api/query.ts';
import { rememberPlace, useRememberedPlace } from '../../../lib/remembered-place.ts';
import { useSiteConfig } from '../../../lib/site-config.tsx';
import { Button } from '../../../ui/button.tsx';
import { Spinner } from '../../../ui/feedback.tsx';
import { CheckField, Field, FormError, NativeSelect } from '../../../ui/form-controls.tsx';
import { Sheet } from '../../../ui/overlays.tsx';
import { PlaceField } from '../../places/place-field.tsx';
import { CategoryField, PriceFields } from './basic-fields.tsx';
import { DetailFilters } from './detail-filters.tsx';
import { listPricePresets } from './price-presets.ts';
import { checkPrices, type FilterEditorProps, usePriceField } from './use-filters.ts';

interface FilterSheetProps extends FilterEditorProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** All filters. A choice is applied at once; Back undoes all that were made since the sheet was opened. */
export const FilterSheet = ({ open, onOpenChange, filters, onChange, onClear, total }: FilterSheetProps) => {
  const hasChangedRef = useRef(false);
  useEffect(() => {
    if (open) hasChangedRef.current = false;
  }, [open]);
  const change = (changes: Filters) => {
    onChange(changes, hasChangedRef.current ? 'replace' : 'push');
    hasChangedRef.current = true;
  };
  const toggle = (name: 'showSold' | 'withPhotos') => ({
    checked: filters[name] === 'true',
    onChange: (event: { target: { checked: boolean } }) => change({ [name]: event.target.checked ? 'true' : '' }),
  });
  const handleOpenChange = (next: boolean) => {
    // a field applies what was typed when it loses the focus; React does not report that of a removed field
    if (!next && document.activeElement instanceof HTMLElement) document.activeElement.blur();
    onOpenChange(next);
  };
  return (
    <Sheet open={open} onOpenChange={handleOpenChange} title={t('list.filters')} closeLabel={t('filters.closeFilters')}>
      <div className="grid gap-5 pb-4">
        <CategoryField category={filters.category} onChange={(category) => change({ category })} />
        <PlaceFilter filters={filters} onChange={change} />
        <PriceFilter filters={filters} onChange={change} />
        <Choices
          title={t('filters.condition')}
          labels={CONDITIONS}
          chosen={filters.condition}
          onChange={(condition) => change({ condition })}
        />
        <DetailFilters filters={filters} onChange={change} />
        <div className="grid">
          <CheckField {...toggle('showSold')}>{t('filters.showSold')}</CheckField>
          <CheckField {...toggle('withPhotos')}>{t('filters.withPhotos')}</CheckField>
        </div>
      </div>
      <div className="sticky -bottom-4 -mx-4 mt-auto -mb-4 flex flex-wrap gap-3 border-t border-border bg-card p-4">
        <Button variant="ghost" onClick={onClear}>
          {t('list.clear')}
        </Button>
        <Button className="flex-1" onClick={() => handleOpenChange(false)}>
          {/* the ads of an invalid price are not counted; its field says what to do */}
          {total === undefined && !checkPrices(filters) ? <Spinner /> : null}
          {total === undefined ? t('filters.showAds') : t('filters.showCount', { count: total })}
        </Button>
      </div>
    </Sheet>
  );
};

interface FilterProps {
  filters: Filters;
  onChange: (changes: Filters) => void;
}

const PriceFilter = ({ filters, onChange }: FilterProps) => {
  const min = usePriceField(filters.minPrice ?? '', (minPrice) => onChange({ minPrice }));
  const max = usePriceField(filters.maxPrice ?? '', (maxPrice) => onChange({ maxPrice }));
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <PriceFields min={min} max={max} />
        <PricePresets filters={filters} onChange={onChange} />
      </div>
      <Choices
        title={t('filters.kindOfPrice')}
        labels={PRICE_TYPE_FILTERS}
        chosen={filters.priceType}
        onChange={(priceType) => onChange({ priceType })}
      />
    </>
  );
};

/** Ranges that one tap chooses, and a second one clears. */
const PricePresets = ({ filters: { category, minPrice = '', maxPrice = '' }, onChange }: FilterProps) => (
  <ul aria-label={t('filters.priceRanges')} className="col-span-2 flex flex-wrap gap-2">
    {listPricePresets(category).map(({ label, ...range }) => {
      const isChosen = minPrice === range.minPrice && maxPrice === range.maxPrice;
      return (
        <li key={label}>
          <Button
            variant="outline"
            size="sm"
            className="rounded-full font-normal tabular-nums aria-pressed:border-primary aria-pressed:bg-accent aria-pressed:text-accent-foreground"
            aria-pressed={isChosen}
            onClick={() => onChange(isChosen ? { minPrice: '', maxPrice: '' } : range)}
          >
            {label}
          </Button>
        </li>
      );
    })}
  </ul>
);

interface ChoicesProps {
  title: string;
  labels: Record<string, string>;
  /** Separated by commas. */
  chosen: string | undefined;
  onChange: (chosen: string) => void;
}

const Choices = ({ title, labels, chosen = '', onChange }: ChoicesProps) => {
  const values = new Set(chosen.split(','));
  const toggle = (value: string) => {
    const isChosen = (known: string) => values.has(known) !== (known === value);
    onChange(Object.keys(labels).filter(isChosen).join());
  };
  return (
    <fieldset className="grid grid-cols-2 gap-x-3">
      <legend className="col-span-2 text-sm font-medium">{title}</legend>
      {Object.entries(labels).map(([value, label]) => (
        <CheckField key={value} checked={values.has(value)} onChange={() => toggle(value)}>
          {label}
        </CheckField>
      ))}
    </fieldset>
  );
};

const DEFAULT_RADIUS = '25';

const readPosition = (): Promise<GeolocationPosition> =>
  new Promise((resolve, reject) =>
    navigator.geolocation.getCurrentPosition(resolve, reject, { timeout: 15_000, maximumAge: 600_000 }),
  );

const explainFailure = (error: unknown): string => {
  // the browser rejects with an object that is no Error
  if (!(error instanceof Error)) return t('filters.notShared');
  if (hasStatus(error, 404)) return t('filters.noPlaces');
  return t('filters.placeNotFound');
};

/** The place that is chosen here is remembered, and stands here where the list has none. */
const PlaceFilter = ({ filters, onChange }: FilterProps) => {
  const remembered = useRememberedPlace();
  const near = filters.near ?? remembered?.near;
  const radius = filters.near ? filters.radius : undefined;
  const { distanceUnit } = useSiteConfig();
  const place = useApiQuery(getPlace, near ? { params: { id: near } } : null).data;
  const [typed, setTyped] = useState<string>();
  const [isLocating, setLocating] = useState(false);
  const [failure, setFailure] = useState<string>();
  const apply = (id: string, distance: string, name: string | undefined) => {
    if (name) rememberPlace({ near: id, radius: distance, name });
    onChange({ near: id, radius: distance });
  };
  const choose = (chosen: Place) => {
    setTyped(undefined);
    apply(chosen.id, radius ?? DEFAULT_RADIUS, chosen.name);
  };
  const clear = () => {
    rememberPlace(null);
    if (filters.near) onChange({ near: '' });
  };
  // Other filters may change while the position is looked up.
  const chooseRef = useRef(choose);
  useEffect(() => {
    chooseRef.current = choose;
  });

  const locate = async () => {
    setFailure(undefined);
    setLocating(true);
    try {
      const { coords } = await readPosition();
      const nearest = await apiRequest(findNearestPlace, { body: { lat: coords.latitude, lng: coords.longitude } });
      chooseRef.current(nearest);
    } catch (error) {
      setFailure(explainFailure(error));
    } finally {
      setLocating(false);
    }
  };

  return (
    <div className="grid gap-3">
      <PlaceField
        label={t('filters.near')}
        placeholder={t('filters.city')}
        mustChoose
        text={typed ?? ((near && place?.label) || '')}
        onChange={(text, chosen) => {
          if (chosen) return choose(chosen);
          setTyped(text);
          if (text.trim() === '') clear();
        }}
      />
      <div className="flex flex-wrap items-end gap-3">
        <Field label={t('filters.distance')} className="min-w-[min(8rem,100%)] flex-1">
          <NativeSelect
            value={radius ?? ''}
            options={[
              ['', t('filters.anyDistance')],
              ...RADIUSES.map((distance) => [distance, formatDistance(distance, distanceUnit)] as const),
            ]}
            disabled={!near}
            onChange={({ target: { value } }) => near && apply(near, value, place?.name)}
          />
        </Field>
        {'geolocation' in navigator ? (
          <Button variant="outline" busy={isLocating} onClick={() => void locate()}>
            {isLocating ? <Spinner /> : <LocateFixed />}
            {t('filters.useMyLocation')}
          </Button>
        ) : null}
      </div>
      <FormError>{failure}</FormError>
    </div>
  );
};
