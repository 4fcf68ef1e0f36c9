import { useEffect } from 'react';
import { countCharacters } from '../../../contract/text.ts';
import { announce } from '../lib/announcer.tsx';

/** Characters before the limit from which the count is shown: a tenth of the limit, at most this many. */
const MAX_NEAR = 200;
/** Announcements to screen readers within that distance. */
const STEPS = 4;

/** The characters left in a text, as hint or error of its `Field` once the limit is near. Announced in a few steps only. */
export const useCharacterCount = (text: string, max: number) => {
  const near = Math.min(MAX_NEAR, max / 10);
  const left = max - countCharacters(text.trim());
  const isOver = left < 0;
  const message = isOver ? `Characters over the limit: ${-left}` : left < near ? `Characters left: ${left}` : undefined;
  const step = isOver ? -1 : Math.floor(left / (near / STEPS));
  // biome-ignore lint/correctness/useExhaustiveDependencies: announced once a step, not with each character
  useEffect(() => {
    if (message) announce(message);
  }, [step]);
  return { isOver, field: isOver ? { error: message } : { hint: message } };
};
