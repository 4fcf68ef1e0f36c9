import { once } from 'node:events';
import { neutralizeFormula } from '../../contract/csv.ts';
import type { CliEnvironment } from './environment.ts';
import { usageError } from './errors.ts';

export const FORMATS = ['table', 'json', 'ndjson', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

export interface OutputFlags {
  output: Format;
  isFormatGiven: boolean;
  fields?: readonly string[] | undefined;
  headers: boolean;
  /** Starts CSV with a byte order mark. */
  bom: boolean;
  quiet: boolean;
  color: boolean;
}

export type Fields<T> = Readonly<Record<string, keyof T | ((row: T) => unknown)>>;

/** How a command prints its rows. Field names are stable: json, ndjson and csv print all of them, in this order. */
export interface RowShape<T> {
  fields: readonly string[] | Fields<T>;
  table?: readonly string[];
  format?: Format | undefined;
}

export interface Output {
  rows<T extends object>(shape: RowShape<T>, rows: Iterable<T> | AsyncIterable<T>): Promise<number>;
  record<T extends object>(shape: RowShape<T>, row: T): Promise<void>;
  raw(text: string | Uint8Array): Promise<void>;
}

type Row = Record<string, unknown>;

const MEASURED_ROWS = 200;
// Without it, Excel reads CSV in the legacy encoding of the machine.
const BYTE_ORDER_MARK = '\uFEFF';

const getNames = <T>({ fields }: RowShape<T>): readonly string[] =>
  Array.isArray(fields) ? fields : Object.keys(fields);

const toRow = <T extends object>({ fields }: RowShape<T>, row: T): Row => {
  if (Array.isArray(fields)) return row as Row;
  const toValue = (field: Fields<T>[string]) => (typeof field === 'function' ? field(row) : row[field]);
  return Object.fromEntries(Object.entries(fields as Fields<T>).map(([name, field]) => [name, toValue(field)]));
};

const pick = (row: Row, fields: readonly string[]): Row =>
  Object.fromEntries(fields.map((field) => [field, row[field] ?? null]));

/** The only writer to stdout. */
export function createOutput(stdout: CliEnvironment['stdout'], flags: () => OutputFlags): Output {
  const raw = async (text: string | Uint8Array): Promise<void> => {
    if (stdout.errored) throw stdout.errored;
    if (!stdout.write(text)) await once(stdout, 'drain');
  };
  let isCsvStarted = false;
  const chooseFormat = ({ format }: { format?: Format | undefined }): Format =>
    flags().isFormatGiven ? flags().output : (format ?? flags().output);

  const chooseFields = <T>(shape: RowShape<T>): readonly string[] => {
    const names = getNames(shape);
    const asked = flags().fields;
    if (!asked) return chooseFormat(shape) === 'table' ? (shape.table ?? names) : names;
    const unknown = asked.filter((field) => !names.includes(field));
    if (unknown.length > 0)
      throw usageError(`Unknown field: ${unknown.join(', ')}`, `Fields here: ${names.join(', ')}`);
    return asked;
  };

  async function printTable(fields: readonly string[], rows: AsyncIterable<Row>): Promise<number> {
    const available = stdout.isTTY ? stdout.columns : undefined;
    const { headers, color } = flags();
    let measured: string[][] | undefined = [];
    let widths: number[] = [];
    let count = 0;
    const print = (cells: readonly string[]) => raw(`${toTableLine(cells, widths, available !== undefined)}\n`);
    const flush = async (lines: string[][]) => {
      measured = undefined;
      widths = fitWidths([...(headers ? [[...fields]] : []), ...lines], available);
      if (headers && lines.length > 0) {
        const head = toTableLine(fields, widths, available !== undefined);
        await raw(`${color ? `\u001B[1m${head}\u001B[22m` : head}\n`);
      }
      for (const cells of lines) await print(cells);
    };
    for await (const row of rows) {
      count++;
      const cells = fields.map((field) => escapeControls(toCell(row[field])));
      if (!measured) await print(cells);
      else if (measured.push(cells) === MEASURED_ROWS) await flush(measured);
    }
    if (measured) await flush(measured);
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

  async function printRows<T extends object>(shape: RowShape<T>, given: Iterable<T> | AsyncIterable<T>) {
    const rows = mapRows(given, (row) => toRow(shape, row));
    const { quiet, headers, bom } = flags();
    const output = chooseFormat(shape);
    const fields = chooseFields(shape);
    if (quiet) return printLines(rows, (row) => `${escapeControls(toCell(row[getNames(shape)[0]!]))}\n`);
    if (output === 'json') return printJson(fields, rows);
    if (output === 'ndjson') return printLines(rows, (row) => `${toJson(pick(row, fields))}\n`);
    if (output === 'table') return printTable(fields, rows);
    const toCsvLine = await loadCsvFormat();
    const toValue = (value: unknown) => (stdout.isTTY ? escapeControls(toCell(value)) : value);
    const toLine = (row: Row) => toCsvLine(fields.map((field) => toValue(row[field])));
    const mark = bom && !isCsvStarted ? BYTE_ORDER_MARK : '';
    isCsvStarted = true;
    return printLines(rows, toLine, headers ? mark + toCsvLine(fields) : mark);
  }

  async function printRecord<T extends object>(shape: RowShape<T>, given: T): Promise<void> {
    const { output, quiet, headers } = flags();
    const fields = chooseFields({ ...shape, table: getNames(shape) });
    if (quiet || output === 'ndjson' || output === 'csv') return void (await printRows(shape, [given]));
    const row = toRow(shape, given);
    if (output === 'json') return raw(`${toJson(pick(row, fields), 2)}\n`);
    const width = Math.max(...fields.map((field) => field.length));
    for (const field of fields) {
      const value = row[field];
      const items = Array.isArray(value) && value.length > 0 ? value : [value];
      for (const [index, item] of items.entries()) {
        const name = headers ? `${(index === 0 ? field : '').padEnd(width)}  ` : '';
        await raw(`${`${name}${escapeControls(toCell(item))}`.trimEnd()}\n`);
      }
    }
  }

  return { raw, rows: printRows, record: printRecord };
}

async function* mapRows<T>(rows: Iterable<T> | AsyncIterable<T>, map: (row: T) => Row): AsyncIterable<Row> {
  for await (const row of rows) yield map(row);
}

const toCell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/**
 * Formats an RFC 4180 record with its line end. Adds an apostrophe to text that a spreadsheet would run as a formula;
 * the library's escape_formulas would also add it to negative numbers.
 */
export const loadCsvFormat = async (): Promise<(values: readonly unknown[]) => string> => {
  const { stringify } = await import('csv-stringify/sync');
  return (values) =>
    stringify([values.map(toCell).map(neutralizeFormula)], { record_delimiter: 'windows', quoted_match: /[\r\n]/ });
};

// cli-table3 does not fit: it measures all rows before it prints the first, cuts fixed-width cells in a pipe too, and
// miscounts the width of combined emoji.
const GAP = '  ';
const NARROWEST = 8;

/** Starts with columns as wide as their cells, then narrows the widest until a line fits the terminal. */
const fitWidths = (lines: readonly string[][], available: number | undefined): number[] => {
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

const toTableLine = (cells: readonly string[], widths: readonly number[], isCut: boolean): string => {
  const toWidth = (cell: string, width: number) => {
    const text = isCut ? truncateTo(cell, width) : cell;
    return text + ' '.repeat(Math.max(0, width - getDisplayWidth(text)));
  };
  return cells
    .map((cell, i) => toWidth(cell, widths[i] ?? 0))
    .join(GAP)
    .trimEnd();
};

const segmenter = new Intl.Segmenter();
const WIDE =
  /\p{Emoji_Presentation}|\uFE0F|[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60]/u;

export const getDisplayWidth = (text: string): number => {
  if (/^[\u0020-\u007E]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
};

export const truncateTo = (text: string, width: number): string => {
  if (getDisplayWidth(text) <= width) return text;
  let cut = '';
  for (const { segment } of segmenter.segment(text)) {
    if (getDisplayWidth(cut) + getDisplayWidth(segment) > width - 1) break;
    cut += segment;
  }
  return `${cut}…`;
};

// Characters that steer a terminal or change the writing direction: C0 and C1 controls, bidi, invisible ones.
// biome-ignore lint/suspicious/noControlCharactersInRegex: text of users must not steer the terminal
const CONTROL = /[\u0000-\u001F\u007F-\u009F\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB]/g;
const SHORT: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escapeOne = (c: string): string => SHORT[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Escapes control characters, so that no escape sequence or line break reaches the terminal. */
export const escapeControls = (text: string): string => text.replace(CONTROL, escapeOne);

/** Like escapeControls, for our own messages that may quote a user's text: line ends stay. */
export const escapeLines = (text: string): string => text.split('\n').map(escapeControls).join('\n');

export const toJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(CONTROL, (c) => (c === '\n' ? c : escapeOne(c)));
