import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort } from '../../local/ports.ts';
import { docker, dockerMeanwhile, IMAGE, mustDocker } from './docker.ts';

export interface PostgresPair {
  primaryUrl: string;
  standbyUrl: string;
  onStandby(sql: string): string;
  stopStandby(): Promise<unknown>;
  startStandby(): Promise<unknown>;
  close(): void;
}

const NETWORK = `${IMAGE}-pair`;
const PRIMARY = `${IMAGE}-primary`;
const STANDBY = `${IMAGE}-standby`;
const INITDB = 'POSTGRES_INITDB_ARGS=--locale=C.UTF-8 --locale-provider=icu --icu-locale=und';
const SERVE = 'exec docker-entrypoint.sh postgres';
const ALLOW =
  'echo "echo host replication all all trust >>\\$PGDATA/pg_hba.conf" >/docker-entrypoint-initdb.d/allow.sh';
// An empty folder becomes a copy of the primary. An existing copy continues to follow the primary.
const COPY =
  'test -s $PGDATA/PG_VERSION || pg_basebackup --host=primary --username=postgres --pgdata=$PGDATA -R --checkpoint=fast';

const run = (name: string, alias: string, port: number, script: string): void => {
  const where = ['--network', NETWORK, '--network-alias', alias, '--publish', `127.0.0.1:${port}:5432`];
  const env = ['--env', 'POSTGRES_PASSWORD=check', '--env', INITDB];
  mustDocker([
    'run',
    '--detach',
    '--name',
    name,
    ...where,
    ...env,
    '--entrypoint',
    'bash',
    'postgres:17',
    '-c',
    script,
  ]);
};

const untilAnswers = async (url: string): Promise<void> => {
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    const ok = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => {});
    if (ok) return;
    await sleep(100);
  }
};

/** Starts two containers: a primary, and a streaming standby created by pg_basebackup. */
export async function startPostgresPair(): Promise<PostgresPair> {
  const [primaryPort, standbyPort] = [await findFreePort('127.0.0.1', 0), await findFreePort('127.0.0.1', 0)];
  const urlOf = (port: number) => `postgres://postgres:check@127.0.0.1:${port}/postgres`;
  const pair: PostgresPair = {
    primaryUrl: urlOf(primaryPort),
    standbyUrl: urlOf(standbyPort),
    onStandby: (sql) => mustDocker(['exec', STANDBY, 'psql', '-U', 'postgres', '-qAtc', sql]),
    stopStandby: () => dockerMeanwhile(['stop', STANDBY]),
    async startStandby() {
      await dockerMeanwhile(['start', STANDBY]);
      await untilAnswers(pair.standbyUrl);
    },
    close() {
      docker(['rm', '--force', '--volumes', PRIMARY, STANDBY]);
      docker(['network', 'rm', NETWORK]);
    },
  };
  mustDocker(['network', 'create', NETWORK]);
  run(PRIMARY, 'primary', primaryPort, `${ALLOW}; ${SERVE}`);
  await untilAnswers(pair.primaryUrl);
  run(STANDBY, 'standby', standbyPort, `${COPY}; chown -R postgres: $PGDATA; ${SERVE}`);
  await untilAnswers(pair.standbyUrl);
  return pair;
}
