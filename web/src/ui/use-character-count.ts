import { useEffect } from 'react';
import { t } from '../../../contract/i18n.ts';
import { countCharacters } from '../../../contract/text.ts';
import { announce } from '../lib/announcer.tsx';

/** The count is shown when a tenth of the limit is left, or this many characters if that is less. */
const MAX_NEAR = 200;
/** Number of announcements to screen readers within that range. */
const STEPS = 4;

/**
 * The number of characters left, as hint or error of a `Field` near the limit. Screen readers hear it in a few steps
 * only.
 */
export const useCharacterCount = (text: string, max: number) => {
  const near = Math.min(MAX_NEAR, max / 10);
  const left = max - countCharacters(text.trim());
  const isOver = left < 0;
  const message = isOver
    ? t('forms.charactersOver', { number: -left })
    : left < near
      ? t('forms.charactersLeft', { number: left })
      : undefined;
  const step = isOver ? -1 : Math.floor(left / (near / STEPS));
  // biome-ignore lint/correctness/useExhaustiveDependencies: announced once a step, not with each character
  useEffect(() => {
    if (message) announce(message);
  }, [step]);
  return { isOver, field: isOver ? { error: message } : { hint: message } };
};
