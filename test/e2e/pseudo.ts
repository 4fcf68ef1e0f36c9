import { toPseudo } from '../../contract/pseudo.ts';

/** A text of the English site, as the language of the page writes it: for locators. */
export type Say = (text: string | RegExp) => string | RegExp;

export const sayEnglish: Say = (text) => text;

/** The overrides and isolates of texts that are read from right to left. */
const MARKS = '\\u202a-\\u202e\\u2066-\\u2069';

const toLetter = (letter: string): string => {
  const accented = toPseudo({ letter }, 'en-XA').letter?.[1];
  return accented && accented !== letter ? `[${letter}${accented}]` : letter;
};

const toPart = (part: string): string => {
  if (part === '^') return `^[\\[${MARKS}]*`;
  if (part === '$') return `[~\\] ${MARKS}]*$`;
  if (part === ' ') return `[\\s~[\\]${MARKS}]+`;
  // what stands between brackets or dots may be a value, which is isolated
  if (/^\\\W/.test(part)) return `[~[\\]${MARKS}]*${part}[~[\\]${MARKS}]*`;
  return part.length > 1 ? part : toLetter(part);
};

/** Finds an English text in any of the pseudo-languages: with accents, brackets and marks of direction. */
export const sayPseudo = (text: string | RegExp): RegExp => {
  const isText = typeof text === 'string';
  const source = isText ? text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') : text.source;
  const parts = source.match(/\\.|\[[^\]]*\]|./g) ?? [];
  return new RegExp(parts.map(toPart).join(''), isText ? 'i' : text.flags);
};
