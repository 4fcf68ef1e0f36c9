import { type ReactNode, useId } from 'react';

interface ChoiceFieldProps {
  legend: string;
  legendClassName?: string;
  error?: string | undefined;
  disabled: boolean;
  /** Of the box around the choices. */
  className: string;
  children: ReactNode;
}

/** Radio buttons or checkboxes with a legend above them and their error below. */
export const ChoiceField = ({
  legend,
  legendClassName = 'text-sm font-medium',
  error,
  disabled,
  className,
  children,
}: ChoiceFieldProps) => {
  const errorId = useId();
  return (
    <fieldset disabled={disabled} aria-describedby={error ? errorId : undefined}>
      <legend className={legendClassName}>{legend}</legend>
      <div className={className}>{children}</div>
      {error ? (
        <p id={errorId} className="mt-1 text-sm text-destructive">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
};
