import { useEffect, useState } from 'react';

/** The value as it was once it had not changed for a while: what to ask the server for while somebody types. */
export const useDebouncedValue = <T>(value: T, ms = 300): T => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
};
