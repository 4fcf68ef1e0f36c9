import { type RefObject, useCallback, useEffect, useState } from 'react';

/**
 * Answers what to call when the server refused a form: whoever waited on its button is led to the first field that it
 * complains about, if it named one, as soon as the fields are no longer disabled. Where no single control is at fault, the
 * words about it bear `data-fault`.
 */
export const useFocusFirstError = (submit: RefObject<HTMLButtonElement | null>): (() => void) => {
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (refusals === 0 || document.activeElement !== submit.current) return;
    submit.current?.form?.querySelector<HTMLElement>('[aria-invalid=true], [data-fault]')?.focus();
  }, [refusals, submit]);
  return useCallback(() => setRefusals((count) => count + 1), []);
};
