// Characters that spreadsheets read as the start of a formula (OWASP, "CSV Injection").
const FORMULA = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * Where a program that separates cells by ";" or tabs, as Excel does in most of Europe, takes the rest of a cell for another one:
 * quotation marks do not help there. "- item" and "-10 %" are no formulas that do anything.
 */
const INNER = /([;\t\r\n])('*(?:[=@\uFF1D\uFF20]|[+\-\uFF0B\uFF0D](?=[^;\t\r\n]*[|(])))/g;
const SAFE_INNER = new RegExp(INNER.source.replace(')(', ")'("), 'g');

/** A cell that no spreadsheet runs: an apostrophe before text that it would take for a formula. */
export const neutralizeFormula = (cell: string): string => {
  const safe = cell.replace(INNER, "$1'$2");
  return FORMULA.test(safe) && !NUMBER.test(safe) ? `'${safe}` : safe;
};

/** The text that `neutralizeFormula` made this cell of. */
export const restoreFormula = (cell: string): string => {
  const inner = cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
  return inner.replace(SAFE_INNER, '$1$2');
};

const quote = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** A record of RFC 4180, with its line end, that no spreadsheet runs. */
export const toCsvRecord = (cells: readonly string[]): string =>
  `${cells.map(neutralizeFormula).map(quote).join(',')}\r\n`;
