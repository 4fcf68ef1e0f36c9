import type { Db, Trx } from '../../../db/pools.ts';
import type { DumpRow } from './dump.ts';
import type { Dump, SiteAd, SiteRow } from './site.ts';

/** A row of the dump, as it is kept while the dump is read. */
export interface KeptRow extends Omit<DumpRow, 'table'> {
  /** What the names of the site's tables begin with. */
  prefix: string;
  name: string;
  key: string;
  owner: string | null;
}

/** Rows of a table that are read about one thing: texts of an ad, its pictures. */
const EACH = 100;

/**
 * Runs `work` with an empty table for the rows of a dump, which nobody else sees and which is gone afterwards: a dump has what
 * belongs together far apart. The transaction waits as long as reading the file takes.
 */
export const withDumpTable = async <R>(db: Db, work: (trx: Trx) => Promise<R>): Promise<R> => {
  const prepare = async (trx: Trx): Promise<R> => {
    await trx.raw("select set_config('idle_in_transaction_session_timeout', '0', true)");
    await trx.raw(
      `create temporary table dump_rows (id bigint generated always as identity primary key, prefix text not null,
         name text not null, key text not null, owner text, line int not null, values jsonb not null) on commit drop`,
    );
    const result = await work(trx);
    await trx.raw('drop table dump_rows');
    return result;
  };
  // not inTransaction: what was read of a stream cannot be read again
  return db.isTransaction ? prepare(db as Trx) : db.transaction(prepare);
};

export const insertDumpRows = async (trx: Trx, rows: readonly KeptRow[]): Promise<void> => {
  await trx.raw(
    `insert into dump_rows (prefix, name, key, owner, line, values)
     select prefix, name, key, owner, line, values from jsonb_to_recordset(?::jsonb) r
       (prefix text, name text, key text, owner text, line int, values jsonb)`,
    [JSON.stringify(rows)],
  );
};

/** The prefixes whose table of this name has rows. */
export const listPrefixes = async (trx: Trx, name: string): Promise<string[]> => {
  const { rows } = await trx.raw<{ rows: { prefix: string }[] }>(
    'select distinct prefix from dump_rows where name = ? order by 1',
    [name],
  );
  return rows.map(({ prefix }) => prefix);
};

/** Forgets the tables of other prefixes, and prepares to look for rows. */
export const keepPrefix = async (trx: Trx, prefix: string): Promise<void> => {
  await trx('dump_rows').whereNot({ prefix }).delete();
  await trx.raw('create index on dump_rows (name, key, id)');
  await trx.raw('create index on dump_rows (owner, id) where owner is not null');
  await trx.raw('analyze dump_rows');
};

/** Reads what the table has. */
export const toDump = (trx: Trx): Dump => ({
  find: async (name, keys) => {
    const { rows } = await trx.raw<{ rows: (SiteRow & { key: string })[] }>(
      `select r.key, r.line, r.values from unnest(?::text[]) k
       cross join lateral (select * from dump_rows d where d.name = ? and d.key = k order by d.id limit ?) r`,
      [[...new Set(keys)], name, EACH],
    );
    return Map.groupBy(rows, ({ key }) => key);
  },
  list: (name, limit) => trx('dump_rows').where({ name }).orderBy('id').limit(limit).select('key', 'line', 'values'),
  count: async (name, column) => {
    const { rows } = await trx.raw<{ rows: { value: string; count: number }[] }>(
      `select values ->> :column as value, count(*)::int as count from dump_rows
       where name = :name and values ->> :column is not null group by 1 order by 2 desc, 1 limit 10000`,
      { name, column },
    );
    return rows;
  },
});

export interface OwnerCount {
  owner: string;
  ads: number;
}

/** Whose ads there are, after `after`, and how many. */
export const listOwners = async (trx: Trx, after: string | undefined, limit: number): Promise<OwnerCount[]> => {
  const { rows } = await trx.raw<{ rows: OwnerCount[] }>(
    `select owner, count(*)::int as ads from dump_rows where owner is not null and (?::text is null or owner > ?)
     group by owner order by owner limit ?`,
    [after ?? null, after ?? null, limit],
  );
  return rows;
};

/** The ads of these owners, undefined: of all, after the row `after`, in the order of the dump. */
export const listSiteAds = async (
  trx: Trx,
  owners: readonly string[] | undefined,
  after: string,
  limit: number,
): Promise<(SiteAd & { row: string })[]> => {
  const query = trx('dump_rows')
    .whereNotNull('owner')
    .where('dump_rows.id', '>', after)
    .orderBy('dump_rows.id')
    .limit(limit);
  if (owners) query.whereRaw('owner = any(?::text[])', [[...owners]]);
  // "id" alone would be the key
  return query.select('dump_rows.id as row', 'key as id', 'owner', 'line', 'values');
};
