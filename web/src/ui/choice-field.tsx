import { clsx as cn } from 'clsx';
import { type ComponentProps, type ReactNode, useId } from 'react';

interface ChoiceFieldProps {
  legend: string;
  legendClassName?: string;
  type?: 'radio' | 'checkbox';
  choices: (readonly [value: string, label: ReactNode])[];
  /** What React Hook Form registers. */
  input: ComponentProps<'input'>;
  error?: string | undefined;
  disabled: boolean;
  /** Of the box around the choices. */
  className: string;
  choiceClassName: string;
}

/** Radio buttons or checkboxes with a legend above them and their error below. */
export const ChoiceField = ({
  legend,
  legendClassName = 'text-sm font-medium',
  type = 'radio',
  choices,
  input,
  error,
  disabled,
  className,
  choiceClassName,
}: ChoiceFieldProps) => {
  const errorId = useId();
  return (
    <fieldset disabled={disabled} aria-describedby={error ? errorId : undefined}>
      <legend className={legendClassName}>{legend}</legend>
      <div className={className}>
        {choices.map(([value, label]) => (
          <label
            key={value}
            className={cn('flex min-w-0 cursor-pointer items-center hyphens-auto wrap-anywhere', choiceClassName)}
          >
            <input
              type={type}
              value={value}
              aria-invalid={error ? true : undefined}
              className="size-5 shrink-0 accent-primary"
              {...input}
            />
            {label}
          </label>
        ))}
      </div>
      {error ? (
        <p id={errorId} className="mt-1 text-sm text-destructive">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
};
