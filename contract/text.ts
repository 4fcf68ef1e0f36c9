import * as z from 'zod/mini';

// C0 (except tab and ends of lines), DEL, C1 and non-characters are invalid in text.
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
const ALLOWED = /^[^\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF]*$/;
const NOT_ALLOWED = 'Contains characters that are not allowed';
// Controls that reorder the following text. They are dropped: honest text does not need them.
const BIDI = /[\u202A-\u202E\u2066-\u2069]/g;
// A text of spaces, zero-width characters and marks only is empty.
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
// More than four combining marks on one character.
const MARKS = /(\p{M}{4})\p{M}+/gu;

const unixLines = (s: string): string => s.replace(/\r\n?/g, '\n');

export const countCharacters = (s: string): number => [...s].length;

/** Trims, normalises to NFC, drops bidi controls and excess marks; unless `multiline`, joins lines with a space. */
export const cleanText = (s: string, multiline = false): string => {
  const cleaned = unixLines(s).normalize('NFC').replace(BIDI, '').replace(MARKS, '$1').trim();
  return multiline ? cleaned : cleaned.replace(/\s*[\n\t]+\s*/g, ' ');
};

interface TextOptions {
  max: number;
  required?: string;
  tooLong?: string;
  multiline?: boolean;
}

/** Text that a person typed. Refuses control characters, cleans the text, then counts its characters (code points). */
export const text = ({
  max,
  required,
  tooLong = `Must be at most ${max} characters`,
  multiline = false,
}: TextOptions) =>
  z.pipe(
    z.pipe(
      z.string(required).check(
        z.regex(ALLOWED, NOT_ALLOWED),
        z.refine((s) => s.isWellFormed(), NOT_ALLOWED),
        ...(required === undefined ? [] : [z.regex(VISIBLE, required)]),
      ),
      z.transform((s: string) => cleanText(s, multiline)),
    ),
    z
      .string()
      .check(z.refine((s) => countCharacters(s) <= max, { error: tooLong, params: { json: { maxLength: max } } })),
  );

export const EMAIL_ADDRESS = /^[^\s@<>,;"]+@[^\s@<>,;"]+\.[^\s@<>,;"]+$/;
