interface SegmentedChoiceProps<Value extends string> {
  legend: string;
  choices: readonly (readonly [value: Value, label: string])[];
  /** Undefined: none of the choices. */
  value: Value | undefined;
  onChange: (value: Value) => void;
}

/** A few choices side by side, of which one is on. */
export const SegmentedChoice = <Value extends string>({
  legend,
  choices,
  value,
  onChange,
}: SegmentedChoiceProps<Value>) => (
  <fieldset>
    <legend className="sr-only">{legend}</legend>
    <div className="grid grid-flow-col auto-cols-fr gap-1 rounded-control bg-muted p-1">
      {choices.map(([choice, label]) => (
        <button
          key={choice}
          type="button"
          aria-pressed={value === choice}
          onClick={() => onChange(choice)}
          className="min-h-11 rounded-lg text-sm font-medium wrap-anywhere aria-pressed:bg-card aria-pressed:shadow-raised"
        >
          {label}
        </button>
      ))}
    </div>
  </fieldset>
);
