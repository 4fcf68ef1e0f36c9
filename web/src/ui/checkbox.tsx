import { type ComponentProps, type ReactNode, useId } from 'react';

/** A native checkbox in the theme's colour with its label beside it. */
export const Checkbox = ({ children, ...props }: Omit<ComponentProps<'input'>, 'type'> & { children: ReactNode }) => {
  const id = useId();
  return (
    <div data-slot="checkbox" className="flex items-center gap-3">
      <input id={id} type="checkbox" className="size-5 shrink-0 accent-primary" {...props} />
      <label htmlFor={id} className="flex min-h-11 items-center font-medium">
        {children}
      </label>
    </div>
  );
};
