import { type ComponentProps, useId, useState } from 'react';
import { LIMITS } from '../../../../contract/limits.ts';
import type { Place } from '../../../../contract/places.ts';
import { usePreHydrationValue } from '../../hooks/use-hydrated.ts';
import { lazyWithRetry, preload } from '../../lib/chunks.ts';
import { Field, Input } from '../../ui/form-controls.tsx';

const loadSuggestions = () => import('./place-suggestions.tsx').then((module) => module.PlaceSuggestions);
// If this chunk cannot be loaded, the text can still be typed.
const PlaceSuggestions = lazyWithRetry(loadSuggestions, () => null);

interface PlaceFieldProps extends Omit<ComponentProps<typeof Field>, 'children'> {
  text: string;
  /** Receives what was typed and no place, or the place that was chosen and its label. */
  onChange: (text: string, place: Place | null) => void;
  onBlur?: () => void;
  /**
   * The text must become a place: Enter takes the first suggestion while none is active, and a note says when no place
   * matches. Default: any text will do.
   */
  mustChoose?: boolean;
  name?: string;
  placeholder?: string;
}

/** A text field that suggests places as one types. */
export const PlaceField = ({ text, onChange, mustChoose = false, ...props }: PlaceFieldProps) => {
  const { onBlur, name, placeholder, ...field } = props;
  return (
    <Field {...field}>
      <PlaceInput {...{ text, onChange, onBlur, mustChoose, name, placeholder }} />
    </Field>
  );
};

type PlaceInputProps = Pick<PlaceFieldProps, 'text' | 'onChange' | 'onBlur' | 'mustChoose' | 'name' | 'placeholder'>;

/** `attributes`: of the input, with those by which Field connects its label, hint and error. */
const PlaceInput = ({ text, onChange, mustChoose = false, ...attributes }: PlaceInputProps) => {
  const listId = useId();
  const [typed, setTyped] = useState<string>();
  const type = (value: string) => {
    setTyped(value);
    onChange(value, null);
  };
  const input = usePreHydrationValue<HTMLInputElement>(text, type);
  const choose = (place: Place) => {
    setTyped(undefined);
    onChange(place.label, place);
  };
  return (
    <div className="relative">
      <Input
        ref={input}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={false}
        aria-controls={listId}
        autoComplete="off"
        maxLength={LIMITS.placeQuery}
        {...attributes}
        value={text}
        onFocus={() => {
          preload(loadSuggestions)();
          if (text === '') setTyped('');
        }}
        onChange={({ target }) => type(target.value)}
      />
      {typed === undefined ? null : (
        <PlaceSuggestions field={input} id={listId} text={typed} mustChoose={mustChoose} onChoose={choose} />
      )}
    </div>
  );
};
