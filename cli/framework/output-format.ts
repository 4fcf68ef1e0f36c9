const NUMBER = /^-?\d+(\.\d+)?$/;
// What spreadsheets take for the beginning of a formula (OWASP, "CSV Injection").
const FORMULA = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/** A CSV cell by RFC 4180; text that a spreadsheet would run as a formula is led by an apostrophe. */
export const toCsvCell = (value: unknown): string => {
  const cell = toCell(value);
  const safe = FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** A CSV record with its line end. */
export const toCsvLine = (cells: readonly unknown[]): string => `${cells.map(toCsvCell).join(',')}\r\n`;

const GAP = '  ';
const NARROWEST = 8;

/** Widths of the columns: as wide as their cells, then the widest give way until a line fits the terminal. */
export const fitWidths = (lines: readonly string[][], available: number | undefined): number[] => {
  const widths = (lines[0] ?? []).map((_, i) => Math.max(...lines.map((cells) => getDisplayWidth(cells[i] ?? ''))));
  if (available === undefined) return widths;
  const total = () => widths.reduce((sum, w) => sum + w, 0) + GAP.length * (widths.length - 1);
  while (total() > available) {
    const widest = widths.indexOf(Math.max(...widths));
    if (widths[widest]! <= NARROWEST) break;
    widths[widest] = Math.max(NARROWEST, widths[widest]! - (total() - available));
  }
  return widths;
};

export const toCells = (row: Record<string, unknown>, fields: readonly string[]): string[] =>
  fields.map((field) => escapeControls(toCell(row[field])));

/** One line of a table, without blanks at its end. */
export const toTableLine = (cells: readonly string[], widths: readonly number[], cut: boolean): string =>
  `${cells
    .map((cell, i) => padTo(cut ? truncateTo(cell, widths[i] ?? cell.length) : cell, widths[i] ?? 0))
    .join(GAP)
    .trimEnd()}\n`;

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
export const getDisplayWidth = (text: string): number => {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
};

/** Cuts a text to so many columns, with an ellipsis where something is missing. */
export const truncateTo = (text: string, width: number): string => {
  if (getDisplayWidth(text) <= width) return text;
  let cut = '';
  for (const { segment } of segmenter.segment(text)) {
    if (getDisplayWidth(cut) + getDisplayWidth(segment) > width - 1) break;
    cut += segment;
  }
  return `${cut}…`;
};

export const padTo = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - getDisplayWidth(text)));

/** A value as one cell of a table or CSV. */
export const toCell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
};
