// What steers a terminal or turns the direction of writing: controls of C0 and C1, bidi, invisible ones.
// biome-ignore lint/suspicious/noControlCharactersInRegex: a stranger's text must not steer the terminal
const CONTROL = /[\u0000-\u001F\u007F-\u009F\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB]/g;
const SHORT: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escapeOne = (c: string): string => SHORT[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Text with its control characters written out: no escape sequence reaches the terminal, no line is broken. */
export const escapeControls = (text: string): string => text.replace(CONTROL, escapeOne);

/** The same for words of our own that may quote a stranger's: our line ends stay. */
export const escapeLines = (text: string): string => text.split('\n').map(escapeControls).join('\n');

/** JSON of the same meaning in which all control characters are written out, those too that JSON would let pass. */
export const toJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(CONTROL, (c) => (c === '\n' ? c : escapeOne(c)));

const segmenter = new Intl.Segmenter();
const WIDE =
  /\p{Emoji_Presentation}|\uFE0F|[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60]/u;
const PLAIN = /^[\u0020-\u007E]*$/;

/** Columns that a text takes on a terminal. */
export const widthOf = (text: string): number => {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
};

/** Cuts a text to so many columns, with an ellipsis where something is missing. */
export const cutTo = (text: string, width: number): string => {
  if (widthOf(text) <= width) return text;
  let cut = '';
  for (const { segment } of segmenter.segment(text)) {
    if (widthOf(cut) + widthOf(segment) > width - 1) break;
    cut += segment;
  }
  return `${cut}…`;
};

export const padTo = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));

/** A value as one cell of a table or CSV. */
export const toCell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
};
