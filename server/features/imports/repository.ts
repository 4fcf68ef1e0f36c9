import { LIMITS } from '../../../contract/limits.ts';
import { countRows, type Db, type Trx } from '../../db/pools.ts';
import type { Tables } from '../../db/tables.ts';
import type { ErrorPhrase } from '../../error-phrases.ts';
import type { Content } from './check-ad.ts';
import type { StoredProblem } from './phrases.ts';

export type ImportRow = Tables['imports'];
export type RowKind = Tables['import_rows']['kind'];

export interface StagedRow {
  position: number;
  line: number;
  externalId: string;
  title: string;
  kind: RowKind;
  adId: string | null;
  content: Content | null;
  /** In hexadecimal digits. */
  hash: string | null;
  problems: readonly StoredProblem[];
  notes: readonly string[];
  notePhrases: readonly ErrorPhrase[];
  unknownCategory: string | null;
}

export type NewImport = Pick<ImportRow, 'source' | 'format' | 'currency' | 'file_name'>;

const isOpen = ({ state }: Pick<ImportRow, 'state'>): boolean => state === 'reading' || state === 'ready';

export type Running = Pick<ImportRow, 'file_name' | 'done' | 'rows'>;

/**
 * Begins an import of a person, unless one runs: then that one is returned. A preview of before goes, and of what ended the rows go
 * and a summary stays.
 */
export const replaceImport = async (
  trx: Trx,
  userId: string,
  values: NewImport,
): Promise<{ id: string } | { running: Running }> => {
  const former = await trx('imports')
    .where({ user_id: userId })
    .orderBy('id', 'desc')
    .forUpdate()
    .select('id', 'state', 'file_name', 'done', 'rows');
  const running = former.find(({ state }) => state === 'running');
  if (running) return { running };
  const ended = former.filter((row) => !isOpen(row)).map(({ id }) => id);
  const kept = ended.slice(0, LIMITS.imports - 1);
  await trx('imports').where({ user_id: userId }).whereNotIn('id', kept).delete();
  await trx('import_rows').whereIn('import_id', kept).delete();
  const [row] = await trx('imports')
    .insert({ user_id: userId, ...values })
    .returning<{ id: string }[]>('id');
  return row!;
};

/** The imports of a person, newest first; without one whose file is being read. */
export const listImports = (db: Db, userId: string): Promise<ImportRow[]> =>
  db('imports').where({ user_id: userId }).whereNot({ state: 'reading' }).orderBy('id', 'desc').limit(LIMITS.imports);

export const findImport = (db: Db, id: string): Promise<ImportRow | undefined> => db('imports').where({ id }).first();

export const lockImport = (trx: Trx, id: string): Promise<ImportRow | undefined> =>
  trx('imports').where({ id }).forUpdate().first();

export const updateImport = async (db: Db, id: string, values: Partial<Omit<ImportRow, 'id' | 'user_id'>>) => {
  await db('imports').where({ id }).update(values);
};

/** The whole file was read. Returns false if another took its place meanwhile. */
export const finishReading = async (db: Db, id: string, rows: number): Promise<boolean> => {
  const { same, wrong } = await countKinds(db, id);
  const changed = await db('imports').where({ id, state: 'reading' }).update({ state: 'ready', rows, same, wrong });
  return changed === 1;
};

/** The import ended, one way or the other. */
export const endImport = async (
  db: Db,
  id: string,
  values: Pick<ImportRow, 'state'> & Partial<Pick<ImportRow, 'error' | 'error_phrase'>>,
): Promise<void> => {
  await db('imports')
    .where({ id })
    .update({ ...values, finished_at: db.fn.now() });
};

export const startRun = async (trx: Trx, id: string, options: ImportRow['options']): Promise<void> => {
  await trx('imports')
    .where({ id })
    .update({ state: 'running', options: JSON.stringify(options), started_at: trx.fn.now() } as never);
};

/** Forgets an import with its rows. Returns whether there was one. */
export const deleteImport = async (db: Db, id: string): Promise<boolean> =>
  (await db('imports').where({ id }).delete()) === 1;

export const insertRows = async (db: Db, importId: string, rows: readonly StagedRow[]): Promise<void> => {
  await db.raw(
    `insert into import_rows (import_id, position, line, external_id, title, kind, ad_id, content, hash, problems, notes,
       note_phrases, unknown_category)
     select ?, position, line, "externalId", title, kind, "adId", content, decode(hash, 'hex'), problems, notes,
       "notePhrases", "unknownCategory"
     from jsonb_to_recordset(?::jsonb) r (position int, line int, "externalId" text, title text, kind text, "adId" bigint,
       content jsonb, hash text, problems jsonb, notes jsonb, "notePhrases" jsonb, "unknownCategory" text)`,
    [importId, JSON.stringify(rows)],
  );
};

export interface KnownAd {
  external_id: string;
  ad_id: string;
  hash: Buffer;
  /** An import paused it since then, and its seller did not touch that. */
  was_missing: boolean;
}

/** What this person imported before under these names, unless it was deleted. */
export const listKnownAds = (
  db: Db,
  { user_id, source }: Pick<ImportRow, 'user_id' | 'source'>,
  externalIds: readonly string[],
): Promise<KnownAd[]> =>
  db('imported_ads as i')
    .join('ads as a', 'a.id', 'i.ad_id')
    .where({ 'i.user_id': user_id, 'i.source': source })
    .whereRaw('i.external_id = any(?::text[])', [[...externalIds]])
    .select('i.external_id', 'i.ad_id', 'i.hash', db.raw('i.is_missing and a.is_paused as was_missing'));

/** Rows with the name of an earlier one, which has the line `first`. */
export const listRepetitions = async (db: Db, importId: string): Promise<{ position: number; first: number }[]> => {
  const { rows } = await db.raw<{ rows: { position: number; first: number }[] }>(
    `select position, first from (
       select position, first_value(line) over same as first, row_number() over same as nth
       from import_rows where import_id = ? window same as (partition by external_id order by position)
     ) named where nth > 1`,
    [importId],
  );
  return rows;
};

/** Adds a problem to rows, which are wrong from now on. */
export const refuseRows = async (
  db: Db,
  importId: string,
  rows: readonly { position: number; problem: StoredProblem }[],
): Promise<void> => {
  await db.raw(
    `update import_rows r set kind = 'wrong', problems = r.problems || jsonb_build_array(d.problem)
     from jsonb_to_recordset(?::jsonb) d (position int, problem jsonb)
     where r.import_id = ? and r.position = d.position`,
    [JSON.stringify(rows), importId],
  );
};

export type Counts = Record<RowKind, number>;

export const countKinds = async (db: Db, importId: string): Promise<Counts> => {
  const rows = await db('import_rows')
    .where({ import_id: importId })
    .groupBy('kind')
    .select<{ kind: RowKind; count: string }[]>('kind', db.raw('count(*) as count'));
  const counts: Counts = { new: 0, changed: 0, same: 0, wrong: 0 };
  for (const { kind, count } of rows) counts[kind] = Number(count);
  return counts;
};

export type RowDetails = Pick<
  Tables['import_rows'],
  'position' | 'line' | 'external_id' | 'title' | 'kind' | 'ad_id'
> & {
  problems: StoredProblem[];
  notes: string[];
  note_phrases: ErrorPhrase[] | null;
};

const ROW_COLUMNS = [
  'position',
  'line',
  'external_id',
  'title',
  'kind',
  'ad_id',
  'problems',
  'notes',
  'note_phrases',
] as const;

interface RowPage {
  kind?: RowKind | undefined;
  after?: number;
  limit: number;
}

const selectRows = (db: Db, importId: string, kind: RowKind | undefined) =>
  db('import_rows')
    .where({ import_id: importId, ...(kind && { kind }) })
    .orderBy('position');

/** Rows after a position, in their order. */
export const listRows = (db: Db, importId: string, { kind, after = 0, limit }: RowPage): Promise<RowDetails[]> =>
  selectRows(db, importId, kind).where('position', '>', after).limit(limit).select(ROW_COLUMNS) as never;

/** Like listRows, of those that a preview shows. */
export const listShownRows = (db: Db, importId: string, { kind, after = 0, limit }: RowPage): Promise<RowDetails[]> =>
  db
    .from(selectRows(db, importId, kind).limit(LIMITS.importShown).select(ROW_COLUMNS).as('shown'))
    .where('position', '>', after)
    .orderBy('position')
    .limit(limit) as never;

/** The words for categories that are not known here, the most frequent first. */
export const listUnknownCategories = async (
  db: Db,
  importId: string,
  limit: number,
): Promise<{ word: string; count: number }[]> => {
  const { rows } = await db.raw<{ rows: { word: string; count: number }[] }>(
    `select unknown_category as word, count(*)::int as count from import_rows
     where import_id = ? and unknown_category is not null group by 1 order by 2 desc, 1 limit ?`,
    [importId, limit],
  );
  return rows;
};

export interface DueRow {
  position: number;
  line: number;
  external_id: string;
  kind: 'new' | 'changed';
  ad_id: string | null;
  content: Content;
  hash: Buffer;
  /** If the ad is paused, a file did that, and not its seller. */
  is_paused_by_file: boolean;
}

/** The next rows that become ads, or change one. */
export const listDueRows = (trx: Trx, importId: string, after: number, limit: number): Promise<DueRow[]> =>
  trx('import_rows as r')
    .leftJoin('imported_ads as i', 'i.ad_id', 'r.ad_id')
    .where({ 'r.import_id': importId })
    .where('r.position', '>', after)
    .whereIn('r.kind', ['new', 'changed'])
    .orderBy('r.position')
    .limit(limit)
    .select('r.position', 'r.line', 'r.external_id', 'r.kind', 'r.ad_id', 'r.content', 'r.hash')
    .select(trx.raw('coalesce(i.is_missing or i.is_hidden, false) as is_paused_by_file')) as never;

interface Imported {
  position: number;
  adId: string;
  externalId: string;
  hash: string;
  /** Whether the file, and not the seller, keeps it paused. */
  isHidden: boolean;
}

/** Remembers what ads are called in their file. */
export const recordImported = async (
  trx: Trx,
  { id, user_id, source }: Pick<ImportRow, 'id' | 'user_id' | 'source'>,
  ads: readonly Imported[],
): Promise<void> => {
  const positions = ads.map(({ position }) => position);
  const [first, last] = [Math.min(...positions), Math.max(...positions)];
  const values = { importId: id, userId: user_id, source, ads: JSON.stringify(ads), first, last };
  await trx.raw(
    `insert into imported_ads (ad_id, user_id, source, external_id, hash, is_hidden)
     select "adId", :userId, :source, "externalId", decode(hash, 'hex'), "isHidden"
     from jsonb_to_recordset(:ads::jsonb) r ("adId" bigint, "externalId" text, hash text, "isHidden" boolean)
     on conflict (ad_id) do update set hash = excluded.hash, imported_at = now(), is_missing = false, is_hidden = excluded.is_hidden
       where imported_ads.source = excluded.source and imported_ads.external_id = excluded.external_id`,
    values,
  );
  await trx.raw(
    `update import_rows r set ad_id = a."adId" from jsonb_to_recordset(:ads::jsonb) a (position int, "adId" bigint)
     where r.import_id = :importId and r.position = a.position and r.position between :first and :last`,
    values,
  );
};

/** What is said of rows that cannot be read. Previews of the previous release say jsonForm. */
const UNREAD = ['jsonBroken', 'xmlBroken', 'strayQuote', 'lostBytes', 'rowLong', 'jsonForm'];

// A row that cannot be read may be any ad: then none is known to be missing.
const IS_MISSING = `i.external_id not in (select r.external_id from import_rows r where r.import_id = :id)
  and not exists (select from import_rows r, jsonb_array_elements(r.problems) p where r.import_id = :id and r.kind = 'wrong'
    and p #>> '{phrases,what,key}' in (${UNREAD.map((name) => `'mistakes.${name}'`).join(', ')}))`;

/** Pauses at most `limit` ads of earlier files of this source that this file does not name. Returns how many. */
export const pauseMissing = async (
  trx: Trx,
  { id, user_id, source }: Pick<ImportRow, 'id' | 'user_id' | 'source'>,
  limit: number,
): Promise<number> => {
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `with paused as (
       update ads set is_paused = true, updated_at = now() where id in (
         select a.id from imported_ads i join ads a on a.id = i.ad_id
         where i.user_id = :user_id and i.source = :source and a.state = 'active' and not a.is_sold and not a.is_paused
           and ${IS_MISSING}
         order by a.id limit :limit for update of a)
       returning id)
     update imported_ads set is_missing = true where ad_id in (select id from paused)`,
    { id, user_id, source, limit },
  );
  return rowCount;
};

/** How many ads `pauseMissing` would pause. */
export const countMissing = (
  db: Db,
  { id, user_id, source }: Pick<ImportRow, 'id' | 'user_id' | 'source'>,
): Promise<number> =>
  countRows(
    db('imported_ads as i')
      .join('ads as a', 'a.id', 'i.ad_id')
      .where({
        'i.user_id': user_id,
        'i.source': source,
        'a.state': 'active',
        'a.is_sold': false,
        'a.is_paused': false,
      })
      .whereRaw(IS_MISSING, { id }),
  );

const IS_FILE = "url like 'media:%'";

/** Ads with photos at addresses that wait, of this person or of all. */
export const listAdsWithDuePhotos = (db: Db, userId?: string): Promise<string[]> =>
  db('imported_photos as p')
    .join('ads as a', 'a.id', 'p.ad_id')
    .whereRaw(`p.sha256 is null and p.failure is null and not p.${IS_FILE}`)
    .modify((query) => void (userId && query.where('a.user_id', userId)))
    .distinct('p.ad_id')
    .pluck('p.ad_id');

export interface FilesOwner {
  userIds: readonly string[];
  source: string;
}

/** Ads of these people and this source, after `after`, whose photos are files that are not here: they wait, or failed. */
export const listAdsWithDueFiles = async (
  db: Db,
  { userIds, source }: FilesOwner,
  { after, limit }: { after: string; limit: number },
): Promise<{ adId: string; externalId: string }[]> => {
  const { rows } = await db.raw<{ rows: { adId: string; externalId: string }[] }>(
    `select i.ad_id as "adId", i.external_id as "externalId" from imported_ads i
     where i.source = ? and i.user_id = any(?::bigint[]) and i.ad_id > ?
       and exists (select from imported_photos p where p.ad_id = i.ad_id and p.sha256 is null and p.${IS_FILE})
     order by i.ad_id limit ?`,
    [source, [...userIds], after, limit],
  );
  return rows;
};

/** How many photos of these people and this source are files that are not here. */
export const countDueFiles = (db: Db, { userIds, source }: FilesOwner): Promise<number> =>
  countRows(
    db('imported_photos as p')
      .join('imported_ads as i', 'i.ad_id', 'p.ad_id')
      .where('i.source', source)
      .whereRaw(`i.user_id = any(?::bigint[]) and p.sha256 is null and p.${IS_FILE}`, [[...userIds]]),
  );

/** The import of a person that runs. */
export const findRunning = (db: Db, userId: string): Promise<ImportRow | undefined> =>
  db('imports').where({ user_id: userId, state: 'running' }).first();
