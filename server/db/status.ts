import type { Db } from './pools.ts';

export const STATUS_FIELDS = [
  'host',
  'database',
  'user',
  'version',
  'latencyMs',
  'sizeBytes',
  'connections',
  'maxConnections',
  'isReplica',
  'replicationLagSeconds',
  'migrations',
] as const;

const SQL = `
  select coalesce(host(inet_server_addr()), 'socket') as host, current_database() as database, current_user as user,
    current_setting('server_version') as version, pg_database_size(current_database())::text as "sizeBytes",
    (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
    current_setting('max_connections')::int as "maxConnections", pg_is_in_recovery() as "isReplica",
    case when pg_is_in_recovery() then extract(epoch from now() - pg_last_xact_replay_timestamp())::float8
      else (select max(extract(epoch from replay_lag))::float8 from pg_stat_replication) end as "replicationLagSeconds",
    to_regclass('knex_migrations') is not null as "isMigrated"`;

/** How the database is, for an operator; lag is null where nothing replicates. */
export async function readDatabaseStatus(db: Db): Promise<Record<(typeof STATUS_FIELDS)[number], unknown>> {
  await db.raw('select 1');
  const start = performance.now();
  await db.raw('select 1');
  const latencyMs = Math.round((performance.now() - start) * 100) / 100;
  const { rows } = await db.raw<{ rows: { isMigrated: boolean }[] }>(SQL);
  const { isMigrated, ...status } = rows[0]!;
  const [count] = isMigrated ? await db('knex_migrations').count<{ count: string }[]>('id') : [{ count: '0' }];
  return { ...status, latencyMs, migrations: Number(count!.count) } as never;
}
