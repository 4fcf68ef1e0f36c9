import { Readable } from 'node:stream';
import { CsvError, type Parser, parse } from 'csv-parse';
import type { TextKey } from '../../../../contract/i18n.ts';
import { inPieces } from './decode.ts';
import { UnreadableFile } from './imported-ad.ts';

/** A line of a table, with the words that the heading has for its cells. */
export interface TableRow {
  line: number;
  headings: readonly string[];
  cells: readonly string[];
}

const MAX_RECORD = 1024 * 1024;
const MAX_COLUMNS = 500;
/** One after the other: no spreadsheet has more rows. */
const MAX_BLANK_ROWS = 1_048_576;
const DELIMITERS = [',', ';', '\t', '|'] as const;

/** The first line without what is in quotes. */
const readFirstLine = (head: string): string => head.replace(/"[^"]*"/g, '').split(/\r\n?|\n/, 1)[0] ?? '';

/** The first line of a file for Excel may name what separates its cells. */
const SEPARATOR = /^sep=([,;\t|]?)$/i;

/** The character that separates cells: the one that the file names, or that the heading has most of. */
export const detectDelimiter = (head: string): string => {
  const [, named] = SEPARATOR.exec(readFirstLine(head)) ?? [];
  if (named) return named;
  const line = readFirstLine(head.trimStart());
  const count = (delimiter: string) => line.split(delimiter).length;
  return DELIMITERS.reduce((best, one) => (count(one) > count(best) ? one : best));
};

const REASONS: Readonly<Record<string, TextKey>> = {
  CSV_QUOTE_NOT_CLOSED: 'mistakes.quote',
  CSV_MAX_RECORD_SIZE: 'mistakes.rowTooLong',
};

const explain = (error: CsvError): UnreadableFile =>
  new UnreadableFile({ key: REASONS[error.code] ?? 'mistakes.table' }, Number(error.lines ?? 0) || undefined);

/**
 * The rows of a CSV or TSV after its headings. A row keeps its cells, however many they are. Quotation marks inside of a cell that
 * has none around it are characters.
 */
export async function* readTable(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<TableRow> {
  const parser: Parser = parse({
    delimiter,
    // a file that was put together of others may have several
    record_delimiter: ['\r\n', '\n', '\r'],
    info: true,
    relax_quotes: true,
    relax_column_count: true,
    max_record_size: MAX_RECORD,
    // else the parser makes an error, with its stack, for each row whose cells are not as many as those of the first
    on_record: (read) => {
      Object.assign(parser.info, { records: 0 });
      return read;
    },
  });
  const source = Readable.from(text, { objectMode: true });
  source.once('error', (error) => parser.destroy(error));
  source.pipe(parser);
  let headings: string[] | undefined;
  let before = 0;
  let blank = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      const line = before + 1;
      before = info.lines;
      const isBlank = record.every((cell) => cell.trim() === '');
      blank = isBlank ? blank + 1 : 0;
      if (blank > MAX_BLANK_ROWS) throw new UnreadableFile({ key: 'mistakes.table' }, line);
      if (isBlank) continue;
      if (headings) yield { line, headings, cells: record };
      else if (before === 1 && SEPARATOR.test(record[0]!)) continue;
      else headings = checkHeadings(record);
    }
  } catch (error) {
    throw error instanceof CsvError ? explain(error) : error;
  } finally {
    source.destroy();
  }
}

const TOO_WIDE = 'mistakes.tableWide';

const checkHeadings = (record: readonly string[]): string[] => {
  if (record.length > MAX_COLUMNS) throw new UnreadableFile({ key: TOO_WIDE, values: { max: MAX_COLUMNS } });
  return record.map((heading) => heading.trim());
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
  return undefined;
};
