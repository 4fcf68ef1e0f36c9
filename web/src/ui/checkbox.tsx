import { type ComponentProps, type ReactNode, useId } from 'react';
import { cn } from '../lib/cn.ts';

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
