import { useEffect } from 'react';
import { LIMITS } from '../../../../contract/limits.ts';
import { countCharacters } from '../../../../contract/text.ts';
import { announce } from '../../lib/announcer.tsx';

const NEAR = 200;
const STEP = 50;

/** How much room a message has left: words once its end is near; screen readers hear of it every so many characters. */
export const useRoomLeft = (text: string) => {
  const left = LIMITS.message - countCharacters(text.trim());
  const isOver = left < 0;
  const words = isOver ? `Characters over the limit: ${-left}` : left < NEAR ? `Characters left: ${left}` : undefined;
  const step = isOver ? -1 : Math.floor(left / STEP);
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once a step, not with every letter
  useEffect(() => {
    if (words) announce(words);
  }, [step]);
  return { isOver, words };
};
