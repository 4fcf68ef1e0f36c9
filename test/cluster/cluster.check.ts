import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createNamespace, type Namespace, run, until } from './kubectl.ts';
import { readDuring, toPod } from './load.ts';
import {
  CLUSTER_IMAGE,
  CLUSTER_NEXT,
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
  WEB,
} from './release.ts';

const missing = findMissing();
if (missing) console.log(`SKIPPED: ${missing}`);

const VALUES = { backup: { enabled: true } };
const REVISION = ['--set', 'secrets.revision=next', '--rollback-on-failure'];

/** Does what docs/INSTALL.md says, from an empty namespace, with a PostgreSQL for trials. */
const install = async (space: Namespace, image: string, sessionKeys: string): Promise<void> => {
  const password = randomBytes(16).toString('hex');
  await space.apply(secretOf('postgres', { password }));
  const secrets = {
    DATABASE_URL: `postgresql://tradepost:${password}@postgres:5432/tradepost`,
    SESSION_KEYS: sessionKeys,
    TOKEN_ENC_KEY: randomBytes(32).toString('hex'),
    X_CLIENT_SECRET: 'check-secret',
  };
  await space.apply(secretOf('tradepost-secrets', secrets));
  await space.apply(
    readFileSync(join(import.meta.dirname, 'postgres.yaml'), 'utf8').replace('POSTGRES_IMAGE', POSTGRES_IMAGE),
  );
  await release(space, 'install', { image, values: VALUES }, '--timeout', '3m');
};

describe.skipIf(missing)('the chart in a cluster', () => {
  const sessionKeys = randomBytes(32).toString('hex');
  let space: Namespace;
  const read = (atLeast: number, work: () => Promise<unknown>) =>
    readDuring(space, { image: CLUSTER_IMAGE, host: HOST, atLeast }, work);

  beforeAll(async () => {
    space = await createNamespace('tradepost-check');
    await space.apply(toPod('visitor', CLUSTER_IMAGE, ['sleep', 'infinity']));
    await space.kubectl('wait', 'pod/visitor', '--for=condition=Ready', '--timeout=2m');
  });
  afterAll(async () => {
    for (const name of ['tradepost-check', 'tradepost-restored'])
      await run('kubectl', ['delete', 'namespace', name, '--ignore-not-found', '--wait']);
  });

  test('helm install leads from nothing to a page in three minutes, in a namespace of the level "restricted"', async () => {
    const began = Date.now();
    await install(space, CLUSTER_IMAGE, sessionKeys);
    expect(await fetchPage(space, '/')).toContain('<title>');
    console.log(`${Math.round((Date.now() - began) / 1000)} s from nothing to a page`);
  });

  test('helm test passes', async () => {
    await run(helm, ['test', 'tradepost', '--namespace', space.name]);
  });

  test('the first steps of the notes work', async () => {
    await space.marketctl('seed', 'categories');
    await space.marketctl('seed', 'demo', '--yes');
    expect(await space.marketctl('doctor')).toBeTruthy();
    expect(await fetchPage(space, '/')).toContain('/ads/');
  });

  test('helm upgrade fails no request of 50,000', async () => {
    const old = (await getWebPods(space)).map(({ metadata }) => metadata.uid);
    const { failures, requests } = await read(50_000, async () => {
      await release(space, 'upgrade', { image: CLUSTER_NEXT, values: VALUES }, ...REVISION);
      await untilTwoReady(space);
    });
    expect(failures).toEqual([]);
    expect(requests).toBeGreaterThanOrEqual(50_000);
    const pods = await getWebPods(space);
    expect(pods.filter(({ metadata }) => old.includes(metadata.uid))).toEqual([]);
    expect(await countRestarts(space)).toBe(0);
  });

  test('helm rollback fails no request, on the newer schema', async () => {
    const { failures } = await read(5000, async () => {
      await run(helm, ['rollback', 'tradepost', '--namespace', space.name, '--wait']);
      await untilTwoReady(space);
    });
    expect(failures).toEqual([]);
    const [pod] = await getWebPods(space);
    expect(pod.spec.containers[0].image).toBe(CLUSTER_IMAGE);
  });

  test('a deleted pod fails no request, and is replaced', async () => {
    const { failures } = await read(5000, async () => {
      const [pod] = await getWebPods(space);
      await space.kubectl('delete', 'pod', pod.metadata.name, '--wait');
      await untilTwoReady(space);
    });
    expect(failures).toEqual([]);
  });

  test('a container that is killed starts again, and requests fail only by cut or refused connections', async () => {
    const { failures } = await read(5000, async () => {
      const [pod] = await getWebPods(space);
      await space
        .kubectl('exec', pod.metadata.name, '-c', 'tradepost', '--', 'node', '-e', KILL_SERVER)
        .catch(() => {});
      await until(async () => (await countRestarts(space)) === 1);
      await untilTwoReady(space);
    });
    console.log(failures.join('\n'));
    // Cut: those on its connections. Refused: those that the Service sends to its address until it notices.
    expect(failures.filter((it) => !/ECONN|hang up/.test(it))).toEqual([]);
  });

  test('a drained node loses its pods one after the other, and no request fails', async () => {
    const nodes = (await run('kubectl', ['get', 'nodes', '--output', 'name'])).trim().split('\n');
    const [pod] = await getWebPods(space);
    const node: string = pod.spec.nodeName;
    const drain = ['drain', node, '--ignore-daemonsets', '--delete-emptydir-data', `--pod-selector=${WEB}`];
    try {
      const { failures } = await read(5000, async () => {
        if (nodes.length > 1) {
          await run('kubectl', [...drain, '--timeout=5m']);
          await untilTwoReady(space);
          expect((await getWebPods(space)).map(({ spec }) => spec.nodeName)).not.toContain(node);
        } else {
          // Its pods can go nowhere else: the budget keeps the last one.
          await expect(run('kubectl', [...drain, '--timeout=60s'])).rejects.toThrow(/disruption budget/);
        }
      });
      expect(failures).toEqual([]);
    } finally {
      await run('kubectl', ['uncordon', node]);
    }
    await untilTwoReady(space);
  });

  test('the disruption budget lets one pod go at a time', async () => {
    const pods = await getWebPods(space);
    const evict = ({ metadata: { name } }: { metadata: { name: string } }) => {
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: space.name } };
      const path = `/api/v1/namespaces/${space.name}/pods/${name}/eviction`;
      return run('kubectl', ['create', '--raw', path, '--filename', '-'], JSON.stringify(eviction));
    };
    await evict(pods[0]);
    await expect(evict(pods[1])).rejects.toThrow(/disruption budget/);
    await untilTwoReady(space);
  });

  test('pods outlive a restart of PostgreSQL and become ready by themselves', async () => {
    const restarts = await countRestarts(space);
    const uids = (await getWebPods(space)).map(({ metadata }) => metadata.uid).sort();
    await space.kubectl('delete', 'pod', 'postgres-0', '--wait');
    await space.kubectl('rollout', 'status', 'statefulset/postgres', '--timeout=3m');
    await untilTwoReady(space);
    expect((await getWebPods(space)).map(({ metadata }) => metadata.uid).sort()).toEqual(uids);
    expect(await countRestarts(space)).toBe(restarts);
    const { failures } = await read(1000, async () => {});
    expect(failures).toEqual([]);
  });

  test('the backup of the CronJob is restored into a fresh namespace', async () => {
    await space.kubectl('create', 'job', 'backup-now', '--from=cronjob/tradepost-backup');
    await space.kubectl('wait', 'job/backup-now', '--for=condition=Complete', '--timeout=5m');
    await space.kubectl('delete', 'job/backup-now');
    const volumes = [{ name: 'backup', persistentVolumeClaim: { claimName: 'tradepost-backup', readOnly: true } }];
    const mounts = [{ name: 'backup', mountPath: '/backup', readOnly: true }];
    await space.apply(toPod('reader', CLUSTER_IMAGE, ['sleep', 'infinity'], { volumes, mounts }));
    await space.kubectl('wait', 'pod/reader', '--for=condition=Ready', '--timeout=2m');
    const [name] = (await space.kubectl('exec', 'reader', '--', 'ls', '/backup')).trim().split('\n');
    const base64 = await space.kubectl('exec', 'reader', '--', 'base64', '-w0', `/backup/${name}`);
    await space.kubectl('delete', 'pod/reader', '--wait');

    const restored = await createNamespace('tradepost-restored');
    await restored.apply(toPod('visitor', CLUSTER_IMAGE, ['sleep', 'infinity']));
    // The schema is the newer release's.
    await install(restored, CLUSTER_NEXT, sessionKeys);
    await restored.marketctl('maintenance', 'on');
    const [pod] = await getWebPods(restored);
    const inPod = (script: string) => [
      '--namespace',
      restored.name,
      'exec',
      '-i',
      pod.metadata.name,
      '-c',
      'tradepost',
      '--',
      'sh',
      '-ec',
      script,
    ];
    await run('kubectl', inPod('base64 -d >/tmp/market.tar'), base64);
    await run('kubectl', inPod(RESTORE));
    await restored.marketctl('maintenance', 'off');
    const [was, is] = [await readStats(space), await readStats(restored)];
    console.log(was);
    expect(is).toEqual(was);
    await until(async () => (await fetchPage(restored, '/')).includes('/ads/'));
    await run('kubectl', ['delete', 'namespace', restored.name, '--wait']);
  });

  test('the network policy admits what the application needs, and nothing else', async ({ skip }) => {
    const [web] = await getWebPods(space);
    const [visitor] = await space.get('pod', 'visitor');
    const connect = async (from: string, to: { status: { podIP: string } }, port: number): Promise<string> => {
      const script = `const call = require('node:net').connect({ host: '${to.status.podIP}', port: ${port}, timeout: 3000 });
        const end = (it) => { console.log(it); process.exit(); };
        call.once('connect', () => end('open')).once('timeout', () => end('dropped')).once('error', () => end('refused'));`;
      return (await space.kubectl('exec', from, '--', 'node', '-e', script)).trim();
    };
    expect(await connect('visitor', web, 8080)).toBe('open');
    const metrics = await connect('visitor', web, 9090);
    if (metrics === 'open') skip('this cluster does not enforce network policies');
    expect(metrics).toBe('dropped');
    // Nothing listens there. Without the policy, the connection is refused.
    expect(await connect(web.metadata.name, visitor, 7777)).toBe('dropped');
  });

  test('helm uninstall leaves the claims and nothing else', async () => {
    await run(helm, ['uninstall', 'tradepost', '--namespace', space.name, '--wait']);
    await until(async () => (await space.get('pods', '--selector', WEB)).length === 0);
    const left = (await space.listObjects()).filter((name) => name.includes('tradepost'));
    expect(left).toEqual(['persistentvolumeclaim/tradepost-backup', 'secret/tradepost-secrets']);
  });
});

/** Kills the server, which is the first child of the container's tini. */
const KILL_SERVER = `
  const { readdirSync, readFileSync } = require('node:fs');
  const servers = readdirSync('/proc').filter((pid) => /^\\d+$/.test(pid) && pid !== '1' &&
    readFileSync('/proc/' + pid + '/cmdline', 'utf8').includes('server/main.ts'));
  process.kill(Math.min(...servers), 'SIGKILL');`;

const RESTORE = 'marketctl backup restore /tmp/market.tar --replace --yes --keep - >/tmp/before.tar';
