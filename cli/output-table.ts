import { cutTo, escapeControls, padTo, toCell, widthOf } from './output-text.ts';

const GAP = '  ';
const NARROWEST = 8;

/** Widths of the columns: as wide as their cells, then the widest give way until a line fits the terminal. */
export const fitWidths = (lines: readonly string[][], available: number | undefined): number[] => {
  const widths = (lines[0] ?? []).map((_, i) => Math.max(...lines.map((cells) => widthOf(cells[i] ?? ''))));
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
    .map((cell, i) => padTo(cut ? cutTo(cell, widths[i] ?? cell.length) : cell, widths[i] ?? 0))
    .join(GAP)
    .trimEnd()}\n`;
