import { MapPin } from 'lucide-react';
import type { RefObject } from 'react';
import { t } from '../../../../contract/i18n.ts';
import { listPlaces, listUsedPlaces } from '../../../../contract/place-search.ts';
import type { Place } from '../../../../contract/places.ts';
import { useApiQuery } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { useDebouncedValue } from '../../hooks/use-debounced-value.ts';
import { OptionList } from '../../ui/combobox.tsx';

interface PlaceSuggestionsProps {
  field: RefObject<HTMLInputElement | null>;
  id: string;
  text: string;
  mustChoose: boolean;
  onChoose: (place: Place) => void;
}

/** Places under a PlaceField: before one types, those of the person's last ads. A separate chunk, loaded when the field gets the focus. */
export const PlaceSuggestions = ({ field, id, text, mustChoose, onChoose }: PlaceSuggestionsProps) => {
  const isBlank = text.trim() === '';
  const used = useUsedPlaces();
  const found = usePlaces(text);
  const { places, note, areLatest } = isBlank ? { ...found, places: used } : found;
  const options = places.map((place) => ({
    key: place.id,
    content: <PlaceOption place={place} />,
    choose: () => onChoose(place),
  }));
  return (
    <OptionList
      field={field}
      id={id}
      label={t('suggestions.places')}
      mayOpen={!isBlank || used.length > 0}
      options={options}
      note={mustChoose ? note : undefined}
      // Enter must not take a place for an earlier text, nor for none
      takesFirst={mustChoose && areLatest && !isBlank}
    />
  );
};

const PlaceOption = ({ place: { name, label } }: { place: Place }) => (
  <>
    <MapPin className="size-4 shrink-0 text-muted-foreground" />
    <span className="min-w-0 py-1.5 wrap-anywhere">
      <b className="font-semibold">{name}</b>{' '}
      <span className="text-muted-foreground">{label.slice(name.length + ', '.length)}</span>
    </span>
  </>
);

const PAUSE_MS = 120;

/** A replica of the previous release replies without labels during an upgrade. */
const withLabel = (place: Place): Place => ({ ...place, label: place.label ?? place.name });

interface Places {
  places: readonly Place[];
  /** Why there are none. */
  note?: string;
  /** These are the places of this text, not of an earlier one. */
  areLatest: boolean;
}

/** The places of the signed-in person's last ads. */
const useUsedPlaces = (): readonly Place[] => {
  const { user } = useSession();
  return useApiQuery(listUsedPlaces, user ? {} : null).data ?? [];
};

/** The places that begin with the text. They change once typing pauses. */
const usePlaces = (text: string): Places => {
  const q = useDebouncedValue(text.trim(), PAUSE_MS, '');
  const target = q ? { query: { q } } : null;
  const { data, error, isLoading } = useApiQuery(listPlaces, target, { keepPreviousData: true });
  const areLatest = q === text.trim() && !isLoading;
  if (error) return { places: [], note: t('suggestions.placesFailed'), areLatest };
  if (!q || !data) return { places: [], areLatest };
  return data.length === 0 && areLatest
    ? { places: [], note: t('suggestions.noCity'), areLatest }
    : { places: data.map(withLabel), areLatest };
};
