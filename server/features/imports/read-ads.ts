import { setImmediate } from 'node:timers/promises';
import type { ImportField } from '../../../contract/imports.ts';
import { guessColumns } from './formats/csv.ts';
import type { Format } from './formats/format.ts';
import { nameByContent, toKey } from './formats/format.ts';
import { FORMATS } from './formats/formats.ts';
import { decode, detectEncoding, takeHead } from './reading/decode.ts';
import { type ImportedAd, type ReadingOptions, UnreadableFile } from './reading/imported-ad.ts';
import { readJson, readPage } from './reading/json.ts';
import { detectDelimiter, readTable, readTableHead, type TableRow } from './reading/table.ts';
import { readXml, readXmlHead } from './reading/xml.ts';

export interface AdFile {
  format: Format;
  /** Of a table: its headings, its first row, and what its columns seem to mean. */
  table?: { headings: readonly string[]; first: readonly string[]; guess: Readonly<Record<string, ImportField>> };
  ads: (options: ReadingOptions) => AsyncIterable<ImportedAd>;
}

/** Files of one format with the same headings: what the columns of one mean, those of the next mean too. */
export const nameKind = ({ format, table }: Pick<AdFile, 'format' | 'table'>): string =>
  nameByContent(format.name, ...(table?.headings ?? []));

/** A text of a file's beginning, without what a cut character would add. */
const readHead = async (head: Uint8Array, encoding: string): Promise<string> =>
  new TextDecoder(encoding).decode(head, { stream: true });

type Shape = 'xml' | 'page' | 'json' | 'table';

const detectShape = (head: string): Shape => {
  const start = head.trimStart().slice(0, 2000);
  if (/^(<!doctype\s+html|<html)\b/i.test(start)) return 'page';
  if (start.startsWith('<')) return 'xml';
  return /^[[{]/.test(start) ? 'json' : 'table';
};

/** What a file begins with, for the formats to recognize. */
interface Beginning {
  shape: Shape;
  head: string;
  row: TableRow | undefined;
  elements: ReturnType<typeof readXmlHead> | undefined;
}

const recognizes = (format: Format, { shape, head, row, elements }: Beginning): boolean => {
  if (format.reads === 'table') return row !== undefined && format.recognizes(new Set(row.headings.map(toKey)), row);
  if (format.reads === 'json') return (shape === 'json' || shape === 'page') && format.recognizes(head.trimStart());
  return elements !== undefined && format.recognizes(elements.root, elements.names);
};

const refuseShape = (shape: Shape, head: string, name: string | undefined): UnreadableFile => {
  if (head.trim() === '') return new UnreadableFile({ key: 'mistakes.fileEmpty' });
  if (name) return new UnreadableFile({ key: 'mistakes.notFormat', values: { format: name } });
  return new UnreadableFile({ key: shape === 'xml' ? 'mistakes.noElements' : 'mistakes.noFormat' });
};

/** The ads of a format, from the text of a file. */
const readItems = (
  format: Format,
  shape: Shape,
  text: AsyncIterable<string>,
  delimiter: string,
  options: ReadingOptions,
) => {
  if (format.reads === 'xml') return format.toAds(readXml(text, format.record), options);
  if (format.reads === 'json') return format.toAds(shape === 'page' ? readPage(text) : readJson(text), options);
  return format.toAds(readTable(text, delimiter), options);
};

/** Requests go first: an ad may have a megabyte, and a piece of a file a thousand broken ones. */
async function* inTurns(ads: AsyncIterable<ImportedAd>): AsyncGenerator<ImportedAd> {
  for await (const ad of ads) {
    await setImmediate();
    yield ad;
  }
}

/**
 * Tells the format of a file from its beginning. Its ads are read as they are asked for: memory does not grow with the file.
 * @throws {UnreadableFile} if it is empty, no text, or of no known format; `ads` throws it where the file stops making sense
 */
export const openAdFile = async (chunks: AsyncIterable<Uint8Array>, formatName?: string): Promise<AdFile> => {
  const { head, whole } = await takeHead(chunks);
  const encoding = detectEncoding(head);
  const beginning = await readHead(head, encoding);
  const shape = detectShape(beginning);
  const delimiter = detectDelimiter(beginning);
  const row = shape === 'table' ? await readTableHead(beginning, delimiter) : undefined;
  const named = formatName === undefined ? FORMATS : FORMATS.filter(({ name }) => name === formatName);
  const elements = shape === 'xml' ? readXmlHead(beginning) : undefined;
  const format = named.find((one) => recognizes(one, { shape, head: beginning, row, elements }));
  if (!format || beginning.trim() === '') throw refuseShape(shape, beginning, formatName);
  return {
    format,
    ...(row && { table: { headings: row.headings, first: row.cells, guess: guessColumns(row.headings) } }),
    ads: (options) => inTurns(readItems(format, shape, decode(whole, encoding), delimiter, options)),
  };
};
