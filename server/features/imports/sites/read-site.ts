import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { AppContext } from '../../../app-context.ts';
import type { Trx } from '../../../db/pools.ts';
import { refuseFields } from '../../../errors.ts';
import { detectEncoding, takeHead } from '../reading/decode.ts';
import { UnreadableFile } from '../reading/imported-ad.ts';
import { type DumpRow, readDump } from './dump.ts';
import { insertDumpRows, type KeptRow, keepPrefix, listPrefixes, toDump, withDumpTable } from './dump-repository.ts';
import type { Dump, LeftOut, Reading, Site } from './site.ts';

/** Rows that are stored at a time, and characters of them. */
const BATCH = 500;
const BATCH_SIZE = 4 * 1024 * 1024;

export interface SiteFile {
  bytes: AsyncIterable<Uint8Array>;
  /** What the names of the tables begin with. Absent: the file says. */
  prefix?: string | undefined;
  language?: string | undefined;
  onProgress?: (rows: number) => void;
}

/** A dump whose rows can be looked for. */
export interface OpenSite {
  site: Site;
  trx: Trx;
  dump: Dump;
  reading: Reading;
  /** The other languages of its ads. */
  otherLanguages: readonly string[];
  /** Its ads that are not public there, by the reason. */
  leftOut: Map<LeftOut, number>;
  warnings: string[];
}

const unpack = async function* (whole: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = Readable.from(whole, { objectMode: false });
  const gunzip = createGunzip();
  source.once('error', (error) => gunzip.destroy(error));
  try {
    yield* source.pipe(gunzip);
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith('Z_')) throw error;
    throw new UnreadableFile('The archive is damaged, or cut.');
  } finally {
    source.destroy();
  }
};

const CHARSETS: Readonly<Record<string, string>> = {
  utf8: 'utf-8',
  utf8mb3: 'utf-8',
  utf8mb4: 'utf-8',
  binary: 'utf-8',
  latin1: 'windows-1252',
};

/** The encoding that the dump says its texts have; its blobs have none. */
const findEncoding = (head: Buffer): string => {
  const [, charset] = /SET NAMES\s+'?(\w+)/i.exec(head.toString('latin1')) ?? [];
  if (charset === undefined) return detectEncoding(head);
  const encoding = CHARSETS[charset.toLowerCase()];
  if (encoding) return encoding;
  throw new UnreadableFile(`The dump is in ${charset.slice(0, 20)}. Make it with --default-character-set=utf8mb4.`);
};

const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b;

async function* readText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const packed = await takeHead(bytes);
  const { head, whole } = isGzip(packed.head) ? await takeHead(unpack(packed.whole)) : packed;
  if (head.length === 0) throw new UnreadableFile('The file is empty.');
  const decoder = new TextDecoder(findEncoding(head));
  for await (const chunk of whole) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/** The table of the site that has this name behind a prefix. */
const findTable = ({ tables }: Site, given: string, wanted: string | undefined) => {
  const name = Object.keys(tables).find((one) => (wanted === undefined ? given.endsWith(one) : given === wanted + one));
  return name === undefined ? undefined : { name, prefix: given.slice(0, -name.length), ...tables[name]! };
};

/** Stores what the site needs of its dump. Ads that are not public are counted instead, by prefix. */
const load = async (
  trx: Trx,
  site: Site,
  rows: AsyncIterable<DumpRow>,
  { prefix: wanted, now, onProgress }: Pick<SiteFile, 'prefix' | 'onProgress'> & { now: string },
): Promise<Map<string, Map<LeftOut, number>>> => {
  const leftOut = new Map<string, Map<LeftOut, number>>();
  let count = 0;
  let size = 0;
  let batch: KeptRow[] = [];
  const store = async () => {
    if (batch.length > 0) await insertDumpRows(trx, batch);
    count += batch.length;
    [batch, size] = [[], 0];
    onProgress?.(count);
  };
  for await (const { table, line, values } of rows) {
    const { name, prefix, key } = findTable(site, table, wanted)!;
    const isAd = name === site.ads;
    const reason = isAd ? site.leaveOut(values, now) : undefined;
    if (reason) {
      const counts = leftOut.get(prefix) ?? new Map<LeftOut, number>();
      leftOut.set(prefix, counts.set(reason, (counts.get(reason) ?? 0) + 1));
      continue;
    }
    batch.push({ prefix, name, key: values[key] ?? '', owner: isAd ? site.toOwner(values) : null, line, values });
    size += Object.values(values).reduce((sum, value) => sum + (value?.length ?? 0), 0);
    if (batch.length === BATCH || size > BATCH_SIZE) await store();
  }
  await store();
  return leftOut;
};

const choosePrefix = async (trx: Trx, site: Site, leftOut: ReadonlyMap<string, unknown>): Promise<string> => {
  const prefixes = [...new Set([...(await listPrefixes(trx, site.ads)), ...leftOut.keys()])];
  const [first] = prefixes;
  if (first === undefined)
    throw refuseFields({
      file: `This is no dump of ${site.label} with ads: no table with rows is called …${site.ads}.`,
    });
  if (prefixes.length > 1)
    throw refuseFields({
      file: `The dump has several sites. Choose one with --prefix: ${prefixes.slice(0, 10).join(', ')}.`,
    });
  return first;
};

const chooseLanguage = async (site: Site, dump: Dump, wanted: string | undefined) => {
  const languages = await site.listLanguages(dump);
  if (wanted !== undefined && !languages.includes(wanted))
    throw refuseFields({
      language: `No ad is in ${wanted.slice(0, 20)}. There are: ${languages.slice(0, 20).join(', ') || 'none'}.`,
    });
  const language = wanted ?? languages[0] ?? '';
  return { language, others: languages.filter((one) => one !== language) };
};

/** As a database writes a time. */
const toTime = (date: Date): string => date.toISOString().slice(0, 19).replace('T', ' ');

/**
 * Reads the dump of a whole site into a table of its own, and runs `work` while it is there. @throws {AppError} validation_failed: the
 * file cannot be read, is of another program, or leaves open which site or language is meant
 */
export const withSite = <R>(
  ctx: AppContext,
  site: Site,
  { bytes, prefix, language: wanted, onProgress }: SiteFile,
  work: (open: OpenSite) => Promise<R>,
): Promise<R> =>
  withDumpTable(ctx.db, async (trx) => {
    const warnings: string[] = [];
    const listColumns = (table: string) => {
      const found = findTable(site, table, prefix);
      return found && [found.key, ...found.columns];
    };
    const rows = readDump(readText(bytes), { listColumns, onWarning: (sentence) => warnings.push(sentence) });
    const leftOut = await load(trx, site, rows, { prefix, now: toTime(ctx.clock.now()), onProgress }).catch(
      (error: unknown) => {
        throw error instanceof UnreadableFile ? refuseFields({ file: error.message }) : error;
      },
    );
    const chosen = await choosePrefix(trx, site, leftOut);
    await keepPrefix(trx, chosen);
    const dump = toDump(trx);
    const { language, others } = await chooseLanguage(site, dump, wanted);
    const categories = await site.readCategories(dump, language);
    return work({
      site,
      trx,
      dump,
      reading: { categories, language },
      otherLanguages: others,
      leftOut: leftOut.get(chosen) ?? new Map(),
      warnings,
    });
  });
