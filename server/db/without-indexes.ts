import type pg from 'pg';

/**
 * Runs `load` without the table's indexes and makes them again: built in bulk, the search index of a million ads takes
 * seconds instead of minutes. Must run in a transaction, whose end the whole table waits for.
 */
export async function withoutIndexes(
  client: Pick<pg.Client, 'query'>,
  table: string,
  load: () => Promise<void>,
): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where schemaname = current_schema and tablename = $1
       and indexname not in (select conname from pg_constraint where conrelid = $1::regclass)`,
    [table],
  );
  for (const { name } of rows) await client.query(`drop index "${name}"`);
  await load();
  await client.query("set local maintenance_work_mem = '256MB'");
  for (const { definition } of rows) await client.query(definition);
}
