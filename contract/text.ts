import * as z from 'zod/mini';

// C0 (but tab and line feed), DEL, C1, lone surrogates and non-characters never belong in text.
const FORBIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
// Controls that reorder what follows them: dropped, because honest text has no use for them.
const BIDI = /[\u202A-\u202E\u2066-\u2069]/g;
// Blanks, zero-width characters and marks alone do not make a text.
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
// More than four combining marks on one base.
const MARKS = /(\p{M}{4})\p{M}+/gu;

const unixLines = (s: string): string => s.replace(/\r\n?/g, '\n');

/** Characters as a person counts them: code points. */
export const countCharacters = (s: string): number => [...s].length;

/** Trims, normalises to NFC, drops bidi controls and piled-up marks; without `multiline`, joins lines with a blank. */
export const cleanText = (s: string, multiline = false): string => {
  const cleaned = unixLines(s).normalize('NFC').replace(BIDI, '').replace(MARKS, '$1').trim();
  return multiline ? cleaned : cleaned.replace(/\s*[\n\t]+\s*/g, ' ');
};

interface TextOptions {
  max: number;
  /** Message when blank; without it blank is allowed. */
  required?: string;
  /** Message when too long. */
  tooLong?: string;
  multiline?: boolean;
}

/** Text as a person types it: control characters refused, then cleaned, then counted in characters. */
export const text = ({
  max,
  required,
  tooLong = `Must be at most ${max} characters`,
  multiline = false,
}: TextOptions) =>
  z.pipe(
    z.pipe(
      z
        .string(required)
        .check(z.refine((s) => !FORBIDDEN.test(unixLines(s)), 'Contains characters that are not allowed')),
      z.transform((s: string) => cleanText(s, multiline)),
    ),
    z.string().check(
      z.refine((s) => countCharacters(s) <= max, tooLong),
      z.refine((s) => required === undefined || VISIBLE.test(s), required ?? ''),
    ),
  );

/** An address such as name@host.example: without white space, commas, semicolons, quotes and angle brackets. */
export const EMAIL_ADDRESS = /^[^\s@<>,;"]+@[^\s@<>,;"]+\.[^\s@<>,;"]+$/;
