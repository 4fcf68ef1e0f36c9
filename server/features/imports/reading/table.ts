import type { TextKey } from '../../../../contract/i18n.ts';
import { inPieces, LOST } from './decode.ts';
import { LOST_BYTES, type Problem, UnreadableFile } from './imported-ad.ts';
import { Records, type TableRecord } from './records.ts';

/** A line of a table, with the words that the heading has for its cells. */
export interface TableRow {
  line: number;
  headings: readonly string[];
  /** With a problem: those that are certain. */
  cells: readonly string[];
  problem?: Problem;
}

const MAX_COLUMNS = 500;
/** One after the other: no spreadsheet has more rows. */
const MAX_BLANK_ROWS = 1_048_576;
const DELIMITERS = [',', ';', '\t', '|'] as const;

/** The first line without what is in quotes. */
const readFirstLine = (head: string): string => head.replace(/"[^"]*"/g, '').split(/\r\n?|\n/, 1)[0] ?? '';

/** The first line of a file for Excel may name what separates its cells. */
const SEPARATOR = /^sep=([,;\t|]?)$/i;

/** Templates of eBay begin with lines about themselves. */
const isAboutTemplate = ([first = '', second = '']: readonly string[]): boolean =>
  /^#INFO\b/i.test(first) || (/^Info$/i.test(first) && second.startsWith('Version='));

/** The character that separates cells: the one that the file names, or that the heading has most of. */
export const detectDelimiter = (head: string): string => {
  const [, named] = SEPARATOR.exec(readFirstLine(head)) ?? [];
  if (named) return named;
  const line = readFirstLine(head.trimStart());
  const count = (delimiter: string) => line.split(delimiter).length;
  return DELIMITERS.reduce((best, one) => (count(one) > count(best) ? one : best));
};

const FILE_FAULTS: Readonly<Record<NonNullable<TableRecord['fault']>, TextKey>> = {
  quote: 'mistakes.quote',
  long: 'mistakes.rowTooLong',
};

const FAULTS: Readonly<Record<NonNullable<TableRecord['fault']>, Omit<Problem, 'column'>>> = {
  quote: { what: { key: 'mistakes.strayQuote' }, how: { key: 'mistakes.closeQuote' } },
  long: { what: { key: 'mistakes.rowLong' }, how: { key: 'mistakes.mend' } },
};

const toRow = ({ line, cells, fault }: TableRecord, headings: readonly string[]): TableRow => {
  const lost = cells.findIndex((cell) => cell.includes(LOST));
  if (fault) return { line, headings, cells, problem: { column: headings[cells.length] ?? '', ...FAULTS[fault] } };
  if (lost < 0) return { line, headings, cells };
  return { line, headings, cells: cells.slice(0, lost), problem: { column: headings[lost] ?? '', ...LOST_BYTES } };
};

/**
 * The rows of a CSV or TSV after its headings. A row keeps its cells, however many they are. Quotation marks inside of a cell that
 * has none around it are characters. What cannot be read with certainty is a row with a problem.
 */
export async function* readTable(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<TableRow> {
  const records = new Records(text, delimiter);
  let headings: string[] | undefined;
  let blank = 0;
  try {
    for (let record = await records.next(); record; record = await records.next()) {
      const { line, cells, fault } = record;
      const isBlank = !fault && cells.every((cell) => cell.trim() === '');
      blank = isBlank ? blank + 1 : 0;
      if (blank > MAX_BLANK_ROWS) throw new UnreadableFile({ key: 'mistakes.table' }, line);
      if (isBlank) continue;
      if (headings) yield toRow(record, headings);
      else if (fault) throw new UnreadableFile({ key: FILE_FAULTS[fault] }, line);
      else if (!(line === 1 && SEPARATOR.test(cells[0]!)) && !isAboutTemplate(cells)) {
        records.expect(cells);
        headings = checkHeadings(cells);
      }
    }
  } finally {
    await records.close();
  }
}

const TOO_WIDE = 'mistakes.tableWide';

const checkHeadings = (record: readonly string[]): string[] => {
  if (record.length > MAX_COLUMNS) throw new UnreadableFile({ key: TOO_WIDE, values: { max: MAX_COLUMNS } });
  return record.map((heading) => heading.replaceAll(LOST, '\uFFFD').trim());
};

/** A record that goes on behind the beginning is cut: a cut quotation is no error of the file. */
const ignoreCut = (error: unknown): void => {
  if (!(error instanceof UnreadableFile) || error.phrase?.key === TOO_WIDE) throw error;
};

/** The headings and the first row of a file whose beginning is known. @throws {UnreadableFile} if it has too many columns */
export const readTableHead = async (head: string, delimiter: string): Promise<TableRow | undefined> => {
  try {
    for await (const row of readTable(inPieces(head), delimiter)) return row;
  } catch (error) {
    ignoreCut(error);
  }
  const headings = await readHeadings(head, delimiter);
  return headings && { line: 1, headings, cells: [] };
};

const readHeadings = async (head: string, delimiter: string): Promise<string[] | undefined> => {
  const [line = ''] = head.trimStart().split(/\r\n?|\n/, 1);
  try {
    for await (const { headings } of readTable(inPieces(`${line}\n${line}\n`), delimiter)) return [...headings];
  } catch (error) {
    ignoreCut(error);
  }
  return line.trim() === '' ? undefined : line.split(delimiter);
};
