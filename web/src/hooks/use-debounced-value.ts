import { useEffect, useState } from 'react';

/** Returns the value once it has not changed for `ms` milliseconds. */
export const useDebouncedValue = <T>(value: T, ms = 300): T => {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return debounced;
};
