import type { Readable, Writable } from 'node:stream';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { BULK_LOAD } from '../../db/bulk.ts';
import type { Trx } from '../../db/pools.ts';
import type { ImageKey } from '../../integrations/storage/storage.ts';

// Excluded from a backup: counters and the copy of listed ads, which a restore makes again; short-lived rows (sessions,
// idempotency keys, workers); access tokens and recovery codes, of which one that was revoked or used since would work again; the bytes of
// images, which the backup contains as files; the migrations' own tables; unlogged tables.
const LEFT_OUT = [
  'knex_migrations',
  'knex_migrations_lock',
  'sessions',
  'access_tokens',
  'idempotency_keys',
  'recovery_codes',
  'recovery_links',
  'imports',
  'import_rows',
  'mail_slots',
  'set_aside',
  'table_sizes',
  'queue_workers',
  'counters',
  'counter_deltas',
  'listed_ads',
  'ad_places',
  'ad_terms',
  'image_blobs',
];

/** A backup of an earlier day may contain such a table; its rows are not restored. */
export const isLeftOut = (table: string): boolean => LEFT_OUT.includes(table);

interface Link {
  table: string;
  parent: string;
}

const sortByParents = (tables: readonly string[], links: readonly Link[]): string[] => {
  const sorted: string[] = [];
  const visit = (table: string): void => {
    if (sorted.includes(table)) return;
    for (const link of links) if (link.table === table && link.parent !== table) visit(link.parent);
    if (tables.includes(table)) sorted.push(table);
  };
  for (const table of tables) visit(table);
  return sorted;
};

export async function listBackupTables(trx: Trx): Promise<string[]> {
  const tables = await trx('pg_class')
    .whereRaw("relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p'")
    .whereNotIn('relname', LEFT_OUT)
    .orderBy('relname')
    .pluck<string[]>('relname');
  const { rows } = await trx.raw<{ rows: Link[] }>(
    `select c.relname as table, p.relname as parent from pg_constraint f
     join pg_class c on c.oid = f.conrelid join pg_class p on p.oid = f.confrelid where f.contype = 'f' order by 1, 2`,
  );
  return sortByParents(tables, rows);
}

export const listColumns = (trx: Trx, table: string): Promise<string[]> =>
  trx('pg_attribute')
    .whereRaw("attrelid = ?::regclass and attnum > 0 and not attisdropped and attgenerated = ''", [`public.${table}`])
    .orderBy('attnum')
    .pluck<string[]>('attname');

const toList = (columns: readonly string[]): string => columns.map((name) => `"${name}"`).join(', ');

/** The connection of a transaction, for COPY, which cannot be pipelined: the next statement waits for the last one. */
export const getConnection = async (trx: Trx): Promise<pg.Client> => {
  const connection = (await trx.client.acquireConnection()) as pg.Client;
  return Object.assign(connection, { pipeline: false });
};

export const createTableReader = async (trx: Trx, table: string, columns: readonly string[]): Promise<Readable> =>
  (await getConnection(trx)).query(copyTo(`copy (select ${toList(columns)} from "${table}") to stdout`));

export const createTableWriter = async (trx: Trx, table: string, columns: readonly string[]): Promise<Writable> =>
  (await getConnection(trx)).query(copyFrom(`copy "${table}" (${toList(columns)}) from stdin`));

export const listAppliedMigrations = (trx: Trx): Promise<string[]> =>
  trx('knex_migrations').orderBy('name').pluck<string[]>('name');

export async function readSequences(trx: Trx): Promise<Record<string, string>> {
  const { rows } = await trx.raw<{ rows: { name: string; last: string | null }[] }>(
    `select t.relname || '.' || a.attname as name, pg_sequence_last_value(s.oid)::text as last
     from pg_class s join pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass and d.deptype = 'i'
     join pg_class t on t.oid = d.refobjid join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
     where s.relkind = 'S' and s.relnamespace = 'public'::regnamespace`,
  );
  return Object.fromEntries(rows.flatMap(({ name, last }) => (last === null ? [] : [[name, last]])));
}

/** Raises sequences but never lowers them, so that no number is used twice. */
export async function writeSequences(trx: Trx, sequences: Record<string, string>): Promise<void> {
  for (const [name, last] of Object.entries(sequences)) {
    const [table = '', column = ''] = name.split('.');
    await trx.raw(
      `select setval(s, greatest(?::bigint, coalesce(pg_sequence_last_value(s), 1)))
       from (select pg_get_serial_sequence(?, ?)::regclass as s) sequence where s is not null`,
      [last, table, column],
    );
  }
}

export async function listFilledTables(trx: Trx, tables: readonly string[]): Promise<string[]> {
  const filled: string[] = [];
  for (const table of tables) if (await trx(table).first(trx.raw('1 as one'))) filled.push(table);
  return filled;
}

/** Idempotency keys, too: a reply that is repeated must not name a row that the restore has removed. */
export const truncateAll = (trx: Trx, tables: readonly string[]): Promise<unknown> => {
  const names = [...tables, 'idempotency_keys', 'counters', 'counter_deltas', 'listed_ads', 'ad_places', 'ad_terms'];
  return trx.raw(`truncate ${names.map((name) => `"${name}"`).join(', ')} cascade`);
};

export async function readSnapshotImages(trx: Trx): Promise<Buffer> {
  const { rows } = await trx.raw<{ rows: { names: Buffer | null }[] }>(
    `select string_agg(sha256, '' order by sha256) as names from images`,
  );
  return rows[0]?.names ?? Buffer.alloc(0);
}

export async function readImageBlobs(trx: Trx, keys: readonly ImageKey[]): Promise<(Buffer | undefined)[]> {
  const names = [...new Set(keys.map(({ sha256 }) => sha256))].map((sha256) => Buffer.from(sha256, 'hex'));
  const rows = await trx<{ sha256: Buffer; variant: string; bytes: Buffer }>('image_blobs').whereIn('sha256', names);
  const found = new Map(rows.map(({ sha256, variant, bytes }) => [sha256.toString('hex') + variant, bytes]));
  return keys.map(({ sha256, variant }) => found.get(sha256 + variant));
}

/** Posts to X that waited at the time of the backup may have been sent since: only their owner can send them again. */
export const cancelWaitingPosts = (trx: Trx): Promise<unknown> =>
  trx('x_posts')
    .whereIn('status', ['pending', 'sending'])
    .update({ status: 'unknown', is_ambiguous: true, error: 'interrupted', next_attempt_at: null });

/** The backup has the table of publications: triggers must not fill it as well. */
export const beginBulkLoad = (trx: Trx): Promise<unknown> => trx.raw(BULK_LOAD);

export const liftTimeouts = (trx: Trx): Promise<unknown> =>
  trx.raw(
    "set local statement_timeout = 0; set local lock_timeout = '10s'; set local idle_in_transaction_session_timeout = 0",
  );
