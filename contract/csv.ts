// Characters that spreadsheets read as the start of a formula (OWASP, "CSV Injection").
const FORMULA = /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/** A cell that no spreadsheet runs: an apostrophe before text that it would take for a formula. */
export const neutralizeFormula = (cell: string): string =>
  FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;

/** The text that `neutralizeFormula` made this cell of. */
export const restoreFormula = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;

const quote = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** A record of RFC 4180, with its line end, that no spreadsheet runs. */
export const toCsvRecord = (cells: readonly string[]): string =>
  `${cells.map(neutralizeFormula).map(quote).join(',')}\r\n`;
