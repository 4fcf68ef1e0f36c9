import * as z from 'zod/mini';
import type { TextKey } from './i18n.ts';
import { says } from './says.ts';

// C0 (except tab and ends of lines), DEL, C1 and non-characters are invalid in text.
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
const ALLOWED = /^[^\u0000-\u0008\u000E-\u001F\u007F-\u0084\u0086-\u009F\uFFFE\uFFFF]*$/;
/** CRLF, CR, vertical tab, form feed, next line, line separator and paragraph separator. */
const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
const LINES_AND_TABS = /[\n\t]/;
// Controls that reorder the following text, and characters that show nothing and join nothing: honest text does not need
// them. Joiners (U+200C, U+200D) and direction marks (U+200E, U+200F) stay, for Persian, Hindi and emoji.
const DROPPED = /[\u00AD\u061C\u180E\u200B\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/g;
/** Fillers of Hangul and Braille are letters and symbols to Unicode, and blank to people. */
const VISIBLE = /[[\p{L}\p{N}\p{P}\p{S}]--[\u115F\u1160\u2800\u3164\uFFA0\u{1D159}]]/v;
const MARKS = /\p{M}+/gu;
/** Sorting a long run of marks takes NFC quadratic time, so runs are cut before. No script has thirty on one letter. */
const SORTABLE_MARKS = 30;
const MARKS_OF_LETTER = 4;

export const countCharacters = (s: string): number => [...s].length;

/** Whether somebody would see anything of it: not only spaces, fillers, marks and joiners. */
export const isVisible = (s: string): boolean => VISIBLE.test(s);

const limitMarks = (s: string, max: number): string =>
  s.replace(MARKS, (run) => (run.length > max ? [...run].slice(0, max).join('') : run));

/**
 * Trims, normalises to NFC, drops bidi controls, invisible characters and excess marks; ends lines with \n or, unless
 * `multiline`, joins them with a space. A text in which nothing is visible becomes empty. Linear in the length of the text.
 * A second time changes nothing.
 */
export const cleanText = (s: string, multiline = false): string => {
  const lines = limitMarks(s.replace(LINE_ENDS, '\n').replace(DROPPED, ''), SORTABLE_MARKS);
  const cleaned = limitMarks(lines.normalize('NFC'), MARKS_OF_LETTER).trim();
  if (!isVisible(cleaned)) return '';
  return multiline ? cleaned : joinLines(cleaned);
};

const joinLines = (s: string): string => {
  if (!LINES_AND_TABS.test(s)) return s;
  const parts = s.split(LINES_AND_TABS).map((part) => part.trim());
  return parts.filter((part) => part !== '').join(' ');
};

/**
 * The longest text, in UTF-16 units, that is worth cleaning for a maximum of characters: each may be an emoji or a letter
 * with marks of its own, and blanks around it are trimmed.
 */
export const maxUncleaned = (max: number): number => 4 * max + 200;

// created on first use, because it takes long to prepare
let graphemes: Intl.Segmenter | undefined;

/** The characters as people see them: an emoji of several code points or a letter with its marks is one. */
export const splitGraphemes = (s: string): string[] => {
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(graphemes.segment(s), ({ segment }) => segment);
};

/** The longest beginning of at most `max` code points that cuts no grapheme in two. */
export const cutText = (s: string, max: number): string => {
  if (s.length <= max) return s;
  let end = 0;
  let count = 0;
  // what follows cannot be part of the result
  for (const grapheme of splitGraphemes(s.slice(0, 2 * max + 100))) {
    count += countCharacters(grapheme);
    if (count > max) break;
    end += grapheme.length;
  }
  return s.slice(0, end);
};

/** Like cutText, with an ellipsis for what is missing, which counts. */
export const shorten = (s: string, max: number): string => {
  const cut = cutText(s, max);
  return cut.length === s.length ? s : `${cutText(s, max - 1).trimEnd()}…`;
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: dropping them is the point
const NOT_TEXT = /[\u0000-\u0008\u000E-\u001F\u007F-\u0084\u0086-\u009F\p{Cs}\p{Noncharacter_Code_Point}]/gu;

/**
 * A line of another system, such as a name at X: cleaned like text that a person typed, with what is not allowed dropped
 * instead of refused, and cut to `max` code points. Empty if nothing of it is visible.
 */
export const cleanForeignLine = (s: string, max: number): string =>
  cutText(cleanText(s.slice(0, maxUncleaned(max)).replace(NOT_TEXT, '')), max);

interface TextOptions {
  max: number;
  /** Says that it is empty. */
  required?: TextKey;
  /** Says that it is too long; it names `max`. */
  tooLong?: TextKey;
  multiline?: boolean;
}

/**
 * Text that a person typed. Checks the length first, refuses control characters, cleans the text, then counts its
 * characters (code points).
 */
export const text = ({ max, required, tooLong = 'fields.tooLong', multiline = false }: TextOptions) => {
  const isTooLong = says(tooLong, { max: String(max) });
  const isEmpty = required && says(required);
  return z.pipe(
    z.pipe(
      z.string(isEmpty).check(
        z.refine((s) => s.length <= maxUncleaned(max), { ...isTooLong, abort: true }),
        z.regex(ALLOWED, says('fields.characters')),
        z.refine((s) => s.isWellFormed(), says('fields.characters')),
        ...(isEmpty === undefined ? [] : [z.regex(VISIBLE, isEmpty)]),
      ),
      z.transform((s: string) => cleanText(s, multiline)),
    ),
    z
      .string()
      .check(z.refine((s) => countCharacters(s) <= max, { ...isTooLong, params: { json: { maxLength: max } } })),
  );
};

export const EMAIL_ADDRESS = /^[^\s@<>,;"]+@[^\s@<>,;"][^\s@<>,;".]*\.[^\s@<>,;"]+$/;
