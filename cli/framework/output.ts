import { once } from 'node:events';
import type { CliEnvironment } from './environment.ts';
import { usageError } from './errors.ts';
import { escapeControls, fitWidths, toCell, toCells, toCsvLine, toJson, toTableLine } from './output-format.ts';

export const FORMATS = ['table', 'json', 'ndjson', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

export interface OutputFlags {
  output: Format;
  /** False where the operator left the format to the command. */
  isFormatGiven: boolean;
  fields?: readonly string[] | undefined;
  headers: boolean;
  quiet: boolean;
  color: boolean;
}

export type Row = Record<string, unknown>;

/** What a command prints. `fields` are stable: json, ndjson and csv have all of them, in this order. */
export interface RowShape {
  fields: readonly string[];
  /** The fewer fields of a table on the screen; default all. */
  table?: readonly string[];
  /** What --quiet prints; default the first field. */
  id?: string;
  /** What the command prints when no format is asked for; default table. */
  format?: Format;
}

export interface Output {
  /** Prints rows as they come; memory stays the same however many there are. Returns how many. */
  rows(shape: RowShape, rows: Iterable<Row> | AsyncIterable<Row>): Promise<number>;
  /** Prints one object: in a table, a line a field. */
  record(shape: RowShape, row: Row): Promise<void>;
  /** Text as it is: a script, a document, a secret. */
  raw(text: string | Uint8Array): Promise<void>;
}

/** Rows that decide the widths of a table; later ones are printed as they come. */
const MEASURED_ROWS = 200;

const checkFields = (shape: RowShape, asked: readonly string[]): readonly string[] => {
  const unknown = asked.filter((field) => !shape.fields.includes(field));
  if (unknown.length > 0)
    throw usageError(`Unknown field: ${unknown.join(', ')}`, `Fields here: ${shape.fields.join(', ')}`);
  return asked;
};

/** Everything a command says on stdout goes through here, in the format that the operator asked for. */
export function createOutput(stdout: CliEnvironment['stdout'], flags: () => OutputFlags): Output {
  const raw = async (text: string | Uint8Array): Promise<void> => {
    if (!stdout.write(text)) await once(stdout, 'drain');
  };
  const bold = (line: string) => (flags().color ? `\u001B[1m${line.trimEnd()}\u001B[22m\n` : line);

  const chooseFormat = ({ format }: RowShape): Format => {
    const { output, isFormatGiven } = flags();
    return isFormatGiven ? output : (format ?? output);
  };

  const chooseFields = (shape: RowShape): readonly string[] => {
    const { fields } = flags();
    if (fields) return checkFields(shape, fields);
    return chooseFormat(shape) === 'table' ? (shape.table ?? shape.fields) : shape.fields;
  };

  const pick = (row: Row, fields: readonly string[]): Row =>
    Object.fromEntries(fields.map((field) => [field, row[field] ?? null]));

  async function printTable(fields: readonly string[], rows: AsyncIterable<Row>): Promise<number> {
    const head = [...fields];
    const available = stdout.isTTY ? stdout.columns : undefined;
    let waiting: string[][] | undefined = [];
    let widths: number[] = [];
    let count = 0;
    const flush = async () => {
      widths = fitWidths([...(flags().headers ? [head] : []), ...(waiting ?? [])], available);
      if (flags().headers && waiting!.length > 0) await raw(bold(toTableLine(head, widths, available !== undefined)));
      for (const cells of waiting ?? []) await raw(toTableLine(cells, widths, available !== undefined));
      waiting = undefined;
    };
    for await (const row of rows) {
      count++;
      const cells = toCells(row, fields);
      if (!waiting) await raw(toTableLine(cells, widths, available !== undefined));
      else if (waiting.push(cells) === MEASURED_ROWS) await flush();
    }
    if (waiting) await flush();
    return count;
  }

  async function printLines(rows: AsyncIterable<Row>, toLine: (row: Row) => string, head = ''): Promise<number> {
    let count = 0;
    let lines = head;
    for await (const row of rows) {
      count++;
      lines += toLine(row);
      if (lines.length > 16_384) {
        await raw(lines);
        lines = '';
      }
    }
    await raw(lines);
    return count;
  }

  async function printJson(fields: readonly string[], rows: AsyncIterable<Row>): Promise<number> {
    let before = '[';
    const count = await printLines(rows, (row) => {
      const line = `${before}\n  ${toJson(pick(row, fields))}`;
      before = ',';
      return line;
    });
    await raw(count === 0 ? '[]\n' : '\n]\n');
    return count;
  }

  async function printRows(shape: RowShape, rows: AsyncIterable<Row>): Promise<number> {
    const { quiet, headers } = flags();
    const output = chooseFormat(shape);
    const fields = chooseFields(shape);
    if (quiet) {
      const id = shape.id ?? shape.fields[0]!;
      return printLines(rows, (row) => `${escapeControls(toCell(row[id]))}\n`);
    }
    if (output === 'json') return printJson(fields, rows);
    if (output === 'ndjson') return printLines(rows, (row) => `${toJson(pick(row, fields))}\n`);
    if (output === 'table') return printTable(fields, rows);
    const toValue = (value: unknown) => (stdout.isTTY ? escapeControls(toCell(value)) : value);
    const toLine = (row: Row) => toCsvLine(fields.map((field) => toValue(row[field])));
    return printLines(rows, toLine, headers ? toCsvLine(fields) : '');
  }

  async function printRecord(shape: RowShape, row: Row): Promise<void> {
    const { output, quiet } = flags();
    const fields = chooseFields({ ...shape, table: shape.fields });
    if (output === 'json' && !quiet) return raw(`${toJson(pick(row, fields), 2)}\n`);
    if (output !== 'table' || quiet) return void (await printRows(shape, toAsync([row])));
    const width = Math.max(...fields.map((field) => field.length));
    for (const field of fields) {
      const name = flags().headers ? `${field.padEnd(width)}  ` : '';
      await raw(`${name}${escapeControls(toCell(row[field]))}`.trimEnd().concat('\n'));
    }
  }

  return { raw, rows: (shape, rows) => printRows(shape, toAsync(rows)), record: printRecord };
}

async function* toAsync<T>(rows: Iterable<T> | AsyncIterable<T>): AsyncIterable<T> {
  yield* rows;
}
