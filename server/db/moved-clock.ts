// Moves the clock of PostgreSQL sessions, outside production only. SQL is the same with and without it: a moved session
// finds `now()` and `clock_timestamp()` in the schema moved_clock before those of PostgreSQL. Two sessions of one
// database may have different clocks.
import knex, { type Knex } from 'knex';
import type pg from 'pg';

/** The schema public comes first, because it is where tables are created. */
const SEARCH_PATH = 'public,moved_clock,pg_catalog';

/** Only one session at a time creates the schema. */
const LOCK = 4_126_180_733;

/** The session settings that move the clock by `offset` milliseconds; none without an offset. */
export const moveSession = (offset: number): Record<string, string> =>
  offset === 0 ? {} : { search_path: SEARCH_PATH, 'moved_clock.offset': `${offset}ms` };

/** Knex's client for PostgreSQL. Its `fn.now()` is CURRENT_TIMESTAMP, which no search path moves; here it is now(). */
export const createMovedClient = (): typeof Knex.Client => {
  const PgClient: typeof Knex.Client = knex({ client: 'pg' }).client.constructor;
  return class extends PgClient {
    override raw(sql: string, ...bindings: unknown[]) {
      return super.raw(sql === 'CURRENT_TIMESTAMP' ? 'now()' : sql, ...bindings);
    }
  };
};

const OFFSET = "coalesce(nullif(current_setting('moved_clock.offset', true), ''), '0')::interval";

const CREATE = `
  create schema if not exists moved_clock;
  create or replace function moved_clock.now() returns timestamptz language sql stable parallel safe
    as $$ select pg_catalog.now() + ${OFFSET} $$;
  create or replace function moved_clock.clock_timestamp() returns timestamptz language sql volatile parallel safe
    as $$ select pg_catalog.clock_timestamp() + ${OFFSET} $$;`;

// PostgreSQL stores which function a default calls, so the search path does not move it.
const LIST_REAL_DEFAULTS = String.raw`
  select format('alter table %s alter column %I set default %s', d.adrelid::regclass, a.attname,
    regexp_replace(pg_get_expr(d.adbin, d.adrelid), '\mpg_catalog\.(now|clock_timestamp)\(\)', 'moved_clock.\1()', 'g')) as sql
  from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
  where pg_get_expr(d.adbin, d.adrelid) ~ '\mpg_catalog\.(now|clock_timestamp)\(\)'`;

interface State {
  isReplica: boolean;
  /** Whether the clock of this session is the real one. */
  isReal: boolean;
  hasRealDefaults: boolean;
}

const READ_STATE = `
  select pg_is_in_recovery() as "isReplica", now() = pg_catalog.now() as "isReal",
    exists (${LIST_REAL_DEFAULTS}) as "hasRealDefaults"`;

const readState = async (client: pg.ClientBase): Promise<State> => (await client.query<State>(READ_STATE)).rows[0]!;

/**
 * Prepares the database for a session with the settings of `moveSession`: creates the functions, and has the defaults
 * of columns call them. Where no offset is set, they return the real time. Throws if the clock of the session is not
 * moved after that: a pooler dropped its settings, or a replica does not have the functions yet.
 */
export async function prepareMovedClock(client: pg.ClientBase): Promise<void> {
  const { isReplica, isReal, hasRealDefaults } = await readState(client);
  if (!isReplica && (isReal || hasRealDefaults)) await createFunctions(client);
  if (isReal && (await readState(client)).isReal)
    throw new Error('CLOCK_OFFSET has no effect on this connection to the database');
}

async function createFunctions(client: pg.ClientBase): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [LOCK]);
  try {
    await client.query(CREATE);
    const { rows } = await client.query<{ sql: string }>(LIST_REAL_DEFAULTS);
    // a transaction each: no lock on a table waits for the next one
    for (const { sql } of rows) await client.query(sql);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK]);
  }
}
