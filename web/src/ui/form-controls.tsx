import { ChevronDown } from 'lucide-react';
import { type ComponentProps, cloneElement, type ReactElement, type ReactNode, useId } from 'react';
import { cn } from '../lib/cn.ts';

export const Input = ({ className, ...props }: ComponentProps<'input'>) => (
  <input data-slot="input" className={cn(CONTROL, 'h-11 md:h-10', className)} {...props} />
);

/** The platform's own picker: the best one on phones, and it costs nothing. */
export const NativeSelect = ({ className, ...props }: ComponentProps<'select'>) => (
  <div data-slot="native-select" className={cn('relative', className)}>
    <select className={cn(CONTROL, 'h-11 appearance-none pr-9 md:h-10')} {...props} />
    <ChevronDown
      aria-hidden="true"
      className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted-foreground"
    />
  </div>
);

/** Grows with its text where the browser can (field-sizing). */
export const Textarea = ({ className, rows = 3, ...props }: ComponentProps<'textarea'>) => (
  <textarea
    data-slot="textarea"
    rows={rows}
    // A field sized by its content takes no notice of `rows`.
    style={{ minHeight: `calc(${rows}lh + 1.375rem)` }}
    className={cn(CONTROL, 'field-sizing-content py-2.5', className)}
    {...props}
  />
);

type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'children'>;

/** A native checkbox in the theme's colour. */
export const Checkbox = ({ className, ...props }: CheckboxProps) => (
  <input data-slot="checkbox" type="checkbox" className={cn('size-5 shrink-0 accent-primary', className)} {...props} />
);

/** A checkbox with its label beside it. */
export const CheckField = ({ children, ...props }: CheckboxProps & { children: ReactNode }) => {
  const id = useId();
  return (
    <div className="flex items-center gap-3">
      <Checkbox id={id} {...props} />
      <label htmlFor={id} className="flex min-h-11 items-center font-medium">
        {children}
      </label>
    </div>
  );
};

/** The shape shared by text fields, selects and text areas. Text of 16 px on phones, or iOS zooms into the field. */
export const CONTROL =
  'w-full min-w-0 rounded-control border border-input bg-card px-3 text-base text-foreground transition-colors duration-150 text-ellipsis placeholder:text-muted-foreground aria-invalid:border-destructive disabled:opacity-55 md:text-sm';

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
