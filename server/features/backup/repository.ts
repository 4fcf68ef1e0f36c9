import type { Readable, Writable } from 'node:stream';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Trx } from '../../db/pools.ts';

// What is not carried over: counted anew while restoring (counters), short-lived (sessions, idempotency, workers), the pictures'
// bytes, which travel as files whatever store they are in, and the migrations' own tables. Unlogged tables never are.
const LEFT_OUT = [
  'knex_migrations',
  'knex_migrations_lock',
  'sessions',
  'idempotency_keys',
  'queue_workers',
  'counters',
  'counter_deltas',
  'image_blobs',
];

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

/** Tables of a backup, each after those that it refers to. */
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

/** Columns that hold something of their own: generated ones are left out. */
const listColumns = async (trx: Trx, table: string): Promise<string> => {
  const columns = await trx('pg_attribute')
    .whereRaw("attrelid = ?::regclass and attnum > 0 and not attisdropped and attgenerated = ''", [`public.${table}`])
    .orderBy('attnum')
    .pluck<string[]>('attname');
  return columns.map((name) => `"${name}"`).join(', ');
};

/**
 * The connection that a transaction runs on: COPY speaks to it directly, and wants to be alone. On this connection a
 * statement waits for the last one's answer from now on.
 */
export const getConnection = async (trx: Trx): Promise<pg.Client> => {
  const connection = (await trx.client.acquireConnection()) as pg.Client;
  return Object.assign(connection, { pipeline: false });
};

/** A table's rows in COPY's text format, in the order of its primary key's storage. */
export const createTableReader = async (trx: Trx, table: string): Promise<Readable> => {
  const columns = await listColumns(trx, table);
  return (await getConnection(trx)).query(copyTo(`copy (select ${columns} from "${table}") to stdout`));
};

/** Takes rows in COPY's text format. */
export const createTableWriter = async (trx: Trx, table: string): Promise<Writable> => {
  const columns = await listColumns(trx, table);
  return (await getConnection(trx)).query(copyFrom(`copy "${table}" (${columns}) from stdin`));
};

export const listAppliedMigrations = (trx: Trx): Promise<string[]> =>
  trx('knex_migrations').orderBy('name').pluck<string[]>('name');

/** Last numbers of all sequences, by "table.column"; those that were never used are left out. */
export async function readSequences(trx: Trx): Promise<Record<string, string>> {
  const { rows } = await trx.raw<{ rows: { name: string; last: string | null }[] }>(
    `select t.relname || '.' || a.attname as name, pg_sequence_last_value(s.oid)::text as last
     from pg_class s join pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass and d.deptype = 'i'
     join pg_class t on t.oid = d.refobjid join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
     where s.relkind = 'S' and s.relnamespace = 'public'::regnamespace`,
  );
  return Object.fromEntries(rows.flatMap(({ name, last }) => (last === null ? [] : [[name, last]])));
}

/** Never lowers a sequence: a number that was given out once is not given out again. */
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

export const countRows = async (trx: Trx, table: string): Promise<number> => {
  const { rows } = await trx.raw<{ rows: { count: string }[] }>('select count(*) from ??', [table]);
  return Number(rows[0]!.count);
};

/** Names of tables that hold rows. */
export async function listFilledTables(trx: Trx, tables: readonly string[]): Promise<string[]> {
  const filled: string[] = [];
  for (const table of tables) if (await trx(table).first(trx.raw('1 as one'))) filled.push(table);
  return filled;
}

/** Empties everything that a backup brings, and what hangs on it. */
export const truncateAll = (trx: Trx, tables: readonly string[]): Promise<unknown> =>
  trx.raw(`truncate ${tables.map((table) => `"${table}"`).join(', ')}, counters, counter_deltas cascade`);

/** Picture names in this transaction's snapshot, from behind `after` on. */
export async function pageSnapshotImages(trx: Trx, after: string, limit: number): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { sha256: string }[] }>(
    `select encode(sha256, 'hex') as sha256 from images where sha256 > decode(?, 'hex') order by images.sha256 limit ?`,
    [after, limit],
  );
  return rows.map((row) => row.sha256);
}

/**
 * Posts to X that waited when the backup was made may have been sent since: nobody sends them again but their owner.
 */
export const cancelWaitingPosts = (trx: Trx): Promise<unknown> =>
  trx('x_posts')
    .whereIn('status', ['pending', 'sending'])
    .update({ status: 'unknown', is_ambiguous: true, error: 'interrupted', next_attempt_at: null });

/** Long transactions of ours are not cut off. */
export const liftTimeouts = (trx: Trx): Promise<unknown> =>
  trx.raw(
    "set local statement_timeout = 0; set local lock_timeout = '10s'; set local idle_in_transaction_session_timeout = 0",
  );
