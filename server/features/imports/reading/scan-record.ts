/** What a text has from one place on as a record of a table. */
export interface Scan {
  cells: string[];
  /** Behind its line break; of a broken one, where it stopped making sense. */
  end: number;
  /** It goes on over several lines, in quotation marks. */
  isLong: boolean;
  /** Has quotation marks as characters, where the rules for tables allow none. */
  isLoose: boolean;
  /** The first cell that ends with a quotation mark and has no other, -1: `5"`, or the end of a cell whose beginning is lost. */
  orphan: number;
  /** The first cell that begins with a quotation mark that nothing closes, -1. */
  torn: number;
  /** Such a cell goes on over lines: where it ends, nobody can tell. */
  isBroken: boolean;
}

const LINE_BREAK = /[\r\n]/;
/** More than any table has: the rest of such a line is not looked at. */
const MAX_CELLS = 5000;

const isOdd = (cell: string): boolean => cell.split('"').length % 2 === 0;

type Quoted = { text: string; end: number } | { isLoose: true } | { brokenAt: number } | undefined;

/** A cell from its quotation mark on; undefined if more text is needed to tell. */
const scanQuoted = (text: string, from: number, delimiter: string, isEnd: boolean): Quoted => {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 2)) {
    const next = text[at + 1];
    if (next === undefined && !isEnd) return undefined;
    if (next === '"') continue;
    if (next === undefined || next === delimiter || next === '\n' || next === '\r')
      return { text: text.slice(from + 1, at).replaceAll('""', '"'), end: at + 1 };
    return LINE_BREAK.test(text.slice(from, at)) ? { brokenAt: at } : { isLoose: true };
  }
  return isEnd ? { brokenAt: text.length } : undefined;
};

/** The ends of cells without quotation marks, by what separates them. */
const plainCells = new Map<string, RegExp>();

const findPlainEnd = (text: string, from: number, delimiter: string): number => {
  const pattern = plainCells.get(delimiter) ?? new RegExp(`[^${delimiter}\\r\\n]*`, 'y');
  plainCells.set(delimiter, pattern);
  pattern.lastIndex = from;
  pattern.exec(text);
  return pattern.lastIndex;
};

/** The record that begins at `from`; undefined if more text is needed to tell. */
export const scanRecord = (text: string, from: number, delimiter: string, isEnd: boolean): Scan | undefined => {
  const scan: Scan = { cells: [], end: from, isLong: false, isLoose: false, orphan: -1, torn: -1, isBroken: false };
  for (let at = from; ; at += 1) {
    const quoted = text[at] === '"' ? scanQuoted(text, at, delimiter, isEnd) : { isLoose: true as const };
    if (!quoted) return undefined;
    const index = scan.cells.length;
    if ('brokenAt' in quoted) return { ...scan, end: quoted.brokenAt, torn: index, isLong: true, isBroken: true };
    if ('end' in quoted) {
      scan.isLong ||= LINE_BREAK.test(quoted.text);
      scan.cells.push(quoted.text);
      at = quoted.end;
    } else {
      const end = findPlainEnd(text, at, delimiter);
      const cell = text.slice(at, end);
      if (cell.includes('"')) {
        scan.isLoose = true;
        if (cell.startsWith('"') && isOdd(cell) && scan.torn < 0) scan.torn = index;
        else if (cell.endsWith('"') && isOdd(cell) && scan.orphan < 0) scan.orphan = index;
      }
      scan.cells.push(cell);
      at = end;
    }
    if (scan.cells.length > MAX_CELLS) {
      scan.end = findLineEnd(text, at);
      return scan.end === text.length && !isEnd ? undefined : scan;
    }
    const next = text[at];
    if (next === delimiter) continue;
    if ((next === undefined || (next === '\r' && text[at + 1] === undefined)) && !isEnd) return undefined;
    scan.end = at + (next === undefined ? 0 : next === '\r' && text[at + 1] === '\n' ? 2 : 1);
    return scan;
  }
};

/** Where the line ends that has this place, behind its break. */
export const findLineEnd = (text: string, from: number): number => {
  const pattern = /\r\n?|\n/g;
  pattern.lastIndex = from;
  return pattern.exec(text) ? pattern.lastIndex : text.length;
};

export const countLines = (text: string): number => text.match(/\r\n?|\n/g)?.length ?? 0;
