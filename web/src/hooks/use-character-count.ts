import { useEffect } from 'react';
import { countCharacters } from '../../../contract/text.ts';
import { announce } from '../lib/announcer.tsx';

/** The end of a text is near in its last tenth, and never further away than this. */
const NEAR = 200;
const STEPS = 4;

/**
 * How much room a text has left, for its `Field`: words once its end is near; screen readers hear of it every so many
 * characters.
 */
export const useCharacterCount = (text: string, max: number) => {
  const near = Math.min(NEAR, max / 10);
  const left = max - countCharacters(text.trim());
  const isOver = left < 0;
  const words = isOver ? `Characters over the limit: ${-left}` : left < near ? `Characters left: ${left}` : undefined;
  const step = isOver ? -1 : Math.floor(left / (near / STEPS));
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once a step, not with every letter
  useEffect(() => {
    if (words) announce(words);
  }, [step]);
  return { isOver, field: isOver ? { error: words } : { hint: words } };
};
