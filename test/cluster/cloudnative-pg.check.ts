import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createNamespace, type Namespace, run, until } from './kubectl.ts';
import { readDuring, toPod } from './load.ts';
import {
  CLUSTER_IMAGE,
  countRestarts,
  fetchPage,
  findMissing,
  getWebPods,
  HOST,
  helm,
  POSTGRES_IMAGE,
  readStats,
  release,
  secretOf,
  untilTwoReady,
} from './release.ts';

const OPERATOR = [
  'rollout',
  'status',
  'deployment/cnpg-controller-manager',
  '--namespace',
  'cnpg-system',
  '--timeout=5s',
];
const isInstalled = () =>
  run('kubectl', OPERATOR).then(
    () => true,
    () => false,
  );
const missing = findMissing() ?? ((await isInstalled()) ? undefined : 'the operator CloudNativePG is not installed');
if (missing) console.log(`SKIPPED: ${missing}`);

const VALUES = {
  cnpg: {
    enabled: true,
    imageName: POSTGRES_IMAGE,
    pooler: { enabled: true },
    // as docs/SCALING.md says: a failover loses no write. The ids are those of the image's user
    clusterSpec: { minSyncReplicas: 1, maxSyncReplicas: 1, postgresUID: 999, postgresGID: 999 },
  },
};
const DATABASE = 'cnpg.io/cluster=tradepost-db';

const countSeconds = () => {
  const began = Date.now();
  return () => Math.round((Date.now() - began) / 1000);
};

describe.skipIf(missing)('the chart with a database by CloudNativePG', () => {
  let space: Namespace;
  const findPrimary = async (): Promise<string> => {
    const [cluster] = await space.get('clusters.postgresql.cnpg.io', 'tradepost-db');
    return cluster.status.currentPrimary;
  };
  const countRows = async () => {
    const { totalUsers, totalAds } = await readStats(space);
    return { totalUsers, totalAds };
  };

  beforeAll(async () => {
    space = await createNamespace('tradepost-cnpg');
    await space.apply(toPod('visitor', CLUSTER_IMAGE, ['sleep', 'infinity']));
    await space.kubectl('wait', 'pod/visitor', '--for=condition=Ready', '--timeout=2m');
  });
  afterAll(() => run('kubectl', ['delete', 'namespace', 'tradepost-cnpg', '--ignore-not-found', '--wait']));

  test('helm install leads from nothing to a page, with three instances and a pooler', async () => {
    const seconds = countSeconds();
    const secrets = {
      SESSION_KEYS: randomBytes(32).toString('hex'),
      TOKEN_ENC_KEY: randomBytes(32).toString('hex'),
      X_CLIENT_SECRET: 'check-secret',
    };
    await space.apply(secretOf('tradepost-secrets', secrets));
    // Helm waits for the standbys, which are copied one after the other
    const installed = release(space, 'install', { image: CLUSTER_IMAGE, values: VALUES }, '--timeout', '10m');
    const page = until(async () => (await fetchPage(space, '/')).includes('<title>')).then(() => seconds());
    await Promise.all([installed, page]);
    console.log(`${await page} s from nothing to a page, ${seconds()} s to all instances`);
    await space.kubectl('rollout', 'status', 'deployment/tradepost-db-pooler', '--timeout=3m');
    await untilTwoReady(space);
  });

  test('helm test passes, and the first steps of the notes work', async () => {
    await run(helm, ['test', 'tradepost', '--namespace', space.name]);
    await space.marketctl('seed', 'categories');
    await space.marketctl('seed', 'demo', '--yes');
    expect(await space.marketctl('doctor')).toBeTruthy();
    await until(async () => (await fetchPage(space, '/')).includes('/ads/'));
  });

  test('queries go through the pooler, lists to the standbys', async () => {
    const [pod] = await getWebPods(space);
    const print =
      "for (const name of ['URL', 'DIRECT_URL', 'REPLICA_URL']) console.log(new URL(process.env['DATABASE_' + name]).hostname)";
    const hosts = await space.kubectl('exec', pod.metadata.name, '-c', 'tradepost', '--', 'node', '-e', print);
    expect(hosts.trim().split('\n')).toEqual(['tradepost-db-pooler', 'tradepost-db-rw', 'tradepost-db-ro']);
    const seen = 'select count(*) from pg_stat_activity where usename = $$tradepost$$ and pid <> pg_backend_pid()';
    const standbys = await space.get('pods', '--selector', `${DATABASE},cnpg.io/instanceRole=replica`);
    const counts = await Promise.all(
      standbys.map(({ metadata }) =>
        space.kubectl('exec', metadata.name, '-c', 'postgres', '--', 'psql', '-At', '-c', seen),
      ),
    );
    expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBeGreaterThan(0);
  });

  test('a standby takes over from a primary that is lost: nothing is lost and no pod restarts', async () => {
    const before = await countRows();
    const restarts = await countRestarts(space);
    const lost = await findPrimary();
    const seconds = countSeconds();
    const { requests, failed, failures } = await readDuring(
      space,
      { image: CLUSTER_IMAGE, host: HOST, atLeast: 1000 },
      async () => {
        await space.kubectl('delete', 'pod', lost, '--grace-period=0', '--force');
        await until(async () => (await findPrimary()) !== lost);
        await until(async () => {
          await space.marketctl('category', 'add', 'After the failover').catch(() => {});
          return (await space.marketctl('category', 'list')).includes('After the failover');
        });
        console.log(`${seconds()} s from the loss to a write`);
        await untilTwoReady(space);
      },
    );
    console.log(`${failed} of ${requests} reads failed\n${failures.join('\n')}`);
    expect(await countRestarts(space)).toBe(restarts);
    expect(await countRows()).toEqual(before);
    await space.kubectl('wait', 'cluster/tradepost-db', '--for=jsonpath={.status.readyInstances}=3', '--timeout=5m');
  });

  test('helm uninstall keeps the database', async () => {
    await run(helm, ['uninstall', 'tradepost', '--namespace', space.name, '--wait']);
    await until(async () => (await getWebPods(space)).length === 0);
    const [cluster] = await space.get('clusters.postgresql.cnpg.io');
    expect(cluster.status.readyInstances).toBe(3);
  });
});
