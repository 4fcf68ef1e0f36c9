import { clsx as cn } from 'clsx';
import { ChevronDown } from 'lucide-react';
import { type ComponentProps, cloneElement, type ReactElement, type ReactNode, useId } from 'react';

export const Input = ({ className, ...props }: ComponentProps<'input'>) => (
  <input data-slot="input" className={cn('control control-line', className)} {...props} />
);

interface NativeSelectProps extends Omit<ComponentProps<'select'>, 'children'> {
  options: readonly (readonly [value: string | number, label: string])[];
}

/** The native select, which works best on phones. */
export const NativeSelect = ({ className, options, ...props }: NativeSelectProps) => (
  <div data-slot="native-select" className={cn('relative', className)}>
    <select className="control control-line appearance-none pe-9" {...props}>
      {options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
    <ChevronDown className="pointer-events-none absolute top-1/2 end-3 size-4 -translate-y-1/2 text-muted-foreground" />
  </div>
);

export const Textarea = ({ className, rows = 3, ...props }: ComponentProps<'textarea'>) => (
  <textarea
    data-slot="textarea"
    rows={rows}
    // A field that is sized by its content ignores `rows`.
    style={{ minHeight: `calc(${rows}lh + 1.375rem)` }}
    className={cn('control field-sizing-content py-2.5', className)}
    {...props}
  />
);

type CheckFieldProps = Omit<ComponentProps<'input'>, 'type' | 'className'>;

export const CheckField = ({ children, ...props }: CheckFieldProps) => {
  const id = useId();
  return (
    <div className="flex items-center gap-3">
      <input data-slot="checkbox" type="checkbox" id={id} className="size-5 shrink-0 accent-primary" {...props} />
      <label htmlFor={id} className="flex min-h-11 min-w-0 items-center font-medium hyphens-auto wrap-anywhere">
        {children}
      </label>
    </div>
  );
};

/** What made sending a form fail, if anything. */
export const FormError = ({ children }: { children: string | null | undefined }) =>
  children ? (
    <p role="alert" className="text-sm text-destructive">
      {children}
    </p>
  ) : null;

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
