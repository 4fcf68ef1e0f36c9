import { cloneElement, type ReactElement, type ReactNode, useId } from 'react';
import { cn } from '../lib/cn.ts';

interface ControlProps {
  id?: string;
  'aria-invalid'?: boolean;
  'aria-describedby'?: string;
  'aria-required'?: boolean;
}

interface FieldProps {
  label: ReactNode;
  error?: string | undefined;
  hint?: ReactNode;
  required?: boolean;
  hideLabel?: boolean;
  className?: string;
  children: ReactElement<ControlProps>;
}

/** A label, its control, a hint and an error, tied together for assistive technology. */
export const Field = ({ label, error, hint, required, hideLabel, className, children }: FieldProps) => {
  const id = useId();
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div
      data-slot="field"
      data-invalid={error ? true : undefined}
      className={cn('grid content-start gap-1.5', className)}
    >
      <label htmlFor={id} className={cn('text-sm font-medium', hideLabel && 'sr-only')}>
        {label}
      </label>
      {cloneElement(children, {
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': described || undefined,
        'aria-required': required || undefined,
      })}
      {hint ? (
        <p id={`${id}-hint`} className="text-sm text-muted-foreground">
          {hint}
        </p>
      ) : null}
      {error ? (
        <p id={`${id}-error`} className="text-sm text-destructive">
          {error}
        </p>
      ) : null}
    </div>
  );
};
