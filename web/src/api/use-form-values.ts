import { useCallback, useRef, useSyncExternalStore } from 'react';
import type { FieldPath, FieldPathValues, FieldValues, UseFormReturn } from 'react-hook-form';

/**
 * What these fields of a form contain. React Hook Form's `useWatch` misses what changes between the render and the mount of its component:
 * a part whose code loads later is shown up to a third of a second after it was rendered.
 */
export const useFormValues = <Values extends FieldValues, const Names extends readonly FieldPath<Values>[]>(
  { getValues, subscribe }: Pick<UseFormReturn<Values>, 'getValues' | 'subscribe'>,
  ...names: Names
): FieldPathValues<Values, Names> => {
  const lastRef = useRef<readonly unknown[]>([]);
  const read = () => {
    const values: readonly unknown[] = getValues(names);
    if (values.some((value, index) => value !== lastRef.current[index])) lastRef.current = values;
    return lastRef.current;
  };
  const listen = useCallback(
    (onChange: () => void) => subscribe({ formState: { values: true }, callback: onChange }),
    [subscribe],
  );
  return useSyncExternalStore(listen, read, read) as FieldPathValues<Values, Names>;
};
