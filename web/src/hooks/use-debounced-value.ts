import { useEffect, useState } from 'react';

/** The value, once it has not changed for `ms` milliseconds. Until then it is the value before, at first `initial`. */
export const useDebouncedValue = <T>(value: T, ms = 300, initial = value): T => {
  const [debounced, setDebounced] = useState(initial);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return debounced;
};
