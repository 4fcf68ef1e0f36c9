import type { Currency } from '../../../contract/money.ts';
import type { Db, Trx } from '../../db/pools.ts';

const KEY = 'currency';

/** Which currency the amounts of the database are in, and the conversion of them that has begun. */
export interface StoredCurrency {
  code: string;
  conversion?: Conversion;
}

export interface Conversion {
  to: string;
  rate: string;
  /** By table: the key of the last row that is converted; null once all are. */
  done: Record<string, string | null>;
}

export const readCurrency = async (db: Db): Promise<StoredCurrency | undefined> =>
  (await db<{ key: string; value: StoredCurrency }>('settings').where({ key: KEY }).first('value'))?.value;

/** Waits for another conversion. */
export const lockCurrency = async (trx: Trx): Promise<StoredCurrency | undefined> =>
  (await trx<{ key: string; value: StoredCurrency }>('settings').where({ key: KEY }).forUpdate().first('value'))?.value;

/** Keeps what another process has written. */
export const insertCurrency = async (trx: Trx, stored: StoredCurrency): Promise<void> => {
  await trx('settings')
    .insert({ key: KEY, value: JSON.stringify(stored) })
    .onConflict('key')
    .ignore();
};

export const writeCurrency = async (trx: Trx, stored: StoredCurrency): Promise<void> => {
  const row = { value: JSON.stringify(stored), updated_at: trx.fn.now() };
  await trx('settings').where({ key: KEY }).update(row);
};

export const hasAmounts = async (db: Db): Promise<boolean> => {
  const { rows } = await db.raw<{ rows: { found: boolean }[] }>(
    `select exists (select from ads)
       or exists (select from saved_searches where jsonb_exists_any(filters, array['minPrice', 'maxPrice'])) as found`,
  );
  return rows[0]!.found;
};

/** How one amount changes, as SQL: to the smallest unit, above 0 if it was, and at most the largest amount. */
const convert = (amount: string): string =>
  `case when ${amount} > 0 then least(greatest(round(${amount} * :rate::numeric, :decimals::int), :least::numeric), :most::numeric)
    else round(0, :decimals::int) end`;

const inJson = (column: string, path: string): string =>
  `case when ${column}->>'${path}' ~ '^[0-9.]+$' then jsonb_build_object('${path}',
    trim_scale(${convert(`(${column}->>'${path}')::numeric`)})::text) else '{}' end`;

interface AmountTable {
  key: string;
  /** SQL of `set`. */
  set: string;
  where?: string;
  columns: readonly string[];
}

const BOUNDS = (column: string): string =>
  `${column} || ${inJson(column, 'minPrice')} || ${inJson(column, 'maxPrice')}`;

const ofColumn = (key: string, column: string): AmountTable => ({
  key,
  set: `${column} = ${convert(column)}`,
  where: `${column} is not null`,
  columns: [column],
});

/** Everything that holds an amount. Triggers bring the prices of ads into `listed_ads`. */
export const AMOUNTS: Readonly<Record<string, AmountTable>> = {
  ads: ofColumn('id', 'price'),
  ad_prices: ofColumn('id', 'price'),
  price_drops: ofColumn('ad_id', 'old_price'),
  offers: ofColumn('id', 'amount'),
  daily_figures: { ...ofColumn("(day - date '2000-01-01')", 'value'), where: "kind = 'revenue'" },
  saved_searches: {
    key: 'id',
    set: `filters = ${BOUNDS('filters')}, resolved = ${BOUNDS('resolved')}`,
    columns: ['filters', 'resolved'],
  },
  moderation_cases: {
    key: 'id',
    set: `reported = reported || ${inJson('reported', 'price')}`,
    columns: ['reported'],
  },
};

export const BATCH = 500;

/** Converts the next rows of a table, after the key `after`. Returns the last key; null if there were none. */
export const convertBatch = async (
  trx: Trx,
  table: string,
  after: string,
  { decimals }: Pick<Currency, 'decimals'>,
  amounts: { rate: string; least: string; most: string },
): Promise<string | null> => {
  const { key, set, where = 'true' } = AMOUNTS[table]!;
  const { rows } = await trx.raw<{ rows: { last: string | null }[] }>(
    `with batch as (
       select ${key} as key from ${table} where ${key} > :after::bigint and ${where} order by ${key} limit ${BATCH} for update
     ), changed as (
       update ${table} set ${set} from batch where ${key} = batch.key and ${where} returning batch.key
     )
     select max(key)::text as last from changed`,
    { after, decimals, ...amounts },
  );
  return rows[0]!.last;
};

/** Texts that contain an amount: those of offers, as messages. */
export const listOfferTexts = async (
  trx: Trx,
  after: string,
  upTo: string,
): Promise<{ id: string; amount: string }[]> => {
  const { rows } = await trx.raw<{ rows: { id: string; amount: string }[] }>(
    'select message_id as id, amount from offers where id > :after::bigint and id <= :upTo::bigint order by id',
    { after, upTo },
  );
  return rows;
};

export const writeMessageTexts = async (trx: Trx, texts: readonly { id: string; content: string }[]): Promise<void> => {
  await trx.raw(
    `update messages set content = new.content from jsonb_to_recordset(?::jsonb) new (id bigint, content text)
     where messages.id = new.id`,
    [JSON.stringify(texts)],
  );
};

/** Among the next ads, in the order of a conversion, those whose content staff have judged, or judge in an open case. */
export const listJudgedIds = async (trx: Trx, after: string, limit: number): Promise<string[]> => {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `select id from (select id, user_id from ads where id > :after::bigint order by id limit :limit) a
     where exists (select from ad_clearances c where c.ad_id = a.id)
       or exists (select from moderation_cases c where c.person_id = a.user_id and c.reported->>'about' = 'ad')
     order by id`,
    { after, limit },
  );
  return rows.map(({ id }) => id);
};

export interface Judged {
  ad_id: string;
  /** Of its content before and now, in hexadecimal digits. */
  former: string;
  present: string;
}

/** What staff judged under its former name has the present one, as far as it was not edited since. */
export const renameJudged = async (trx: Trx, judged: readonly Judged[]): Promise<void> => {
  const values = [JSON.stringify(judged)];
  await trx.raw(
    `with judged as (select * from jsonb_to_recordset(?::jsonb) j (ad_id bigint, former text, present text)),
       gone as (
         delete from ad_clearances c using judged j
         where c.ad_id = j.ad_id and c.content = decode(j.former, 'hex') and j.present <> j.former returning j.*
       )
     insert into ad_clearances (ad_id, content) select ad_id, decode(present, 'hex') from gone on conflict do nothing`,
    values,
  );
  await trx.raw(
    `update moderation_cases c set reported = c.reported || jsonb_build_object('content', j.present)
     from jsonb_to_recordset(?::jsonb) j (ad_id bigint, former text, present text) join ads a on a.id = j.ad_id
     where c.person_id = a.user_id and c.reported->>'content' = j.former`,
    values,
  );
};

export interface NamedSearch {
  id: string;
  name: string;
  filters: Record<string, string>;
}

/** The saved searches after a key that have bounds of price, in the order of a conversion. */
export const listBoundedSearches = (trx: Trx, after: string, limit: number): Promise<NamedSearch[]> =>
  trx
    .from(trx('saved_searches').where('id', '>', after).orderBy('id').limit(limit).as('next'))
    .whereRaw("jsonb_exists_any(filters, array['minPrice', 'maxPrice'])")
    .orderBy('id')
    .select('id', 'name', 'filters') as never;

export const renameSearch = async (trx: Trx, id: string, name: string): Promise<void> => {
  await trx('saved_searches').where({ id }).update({ name });
};

/** How many rows of each table have amounts, and the extremes that do not fit into the new currency. */
export const countAmounts = async (db: Db): Promise<{ table: string; rows: number }[]> => {
  const counts = Object.entries(AMOUNTS).map(
    ([table, { where = 'true' }]) =>
      `select '${table}' as "table", count(*)::int as "rows" from ${table} where ${where}`,
  );
  return (await db.raw<{ rows: { table: string; rows: number }[] }>(counts.join(' union all '))).rows;
};
