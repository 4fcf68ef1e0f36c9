import { toCell } from './output-text.ts';

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
