import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../../local/ports.ts';
import { ensureChromium } from '../harness/chromium.ts';
import { findMissing, IMAGE, inspect, ROOT, VERSION } from './docker.ts';
import { openGallery } from './gallery.ts';
import { buildImage, provideOthers } from './images.ts';
import { type Load, startLoad } from './load.ts';
import { openPrometheus, readDashboardQueries } from './prometheus.ts';
import { openSharedSandbox, type SharedSandbox } from './sandbox.ts';
import { addToEnv, openStack } from './stack.ts';
import { addWriter, startWriting, type Writer } from './writes.ts';

const PATHS = ['/', '/api/ads', '/api/categories/stats', '/api/ads?search=desk', '/categories', '/healthz'];

const until = async (wanted: () => Promise<boolean>) => {
  while (!(await wanted())) await sleep(500);
};

const OVERLAYS = ['proxy', 'replicas', 's3', 'metrics'].map((name) => `deploy/compose/compose.${name}.yml`);
// There is no replacement for Grafana's image.
const SERVICES = ['proxy', 'app', 'app-2', 'relay', 'relay-2', 's3', 'prometheus'];
const S3_SECRETS = { s3_access_key_id: 'admin:admin', s3_secret_access_key: 'admin-secret' };

describe.skipIf(findMissing())('two replicas behind a proxy with TLS', async () => {
  const port = await findFreePort('127.0.0.1', 0);
  const origin = `https://localhost:${port}`;
  const stack = openStack('roll', origin, [...OVERLAYS, join(ROOT, 'test/docker/compose.check.yml')]);
  let sandbox: SharedSandbox;
  let seller: Writer;
  let buyers: Writer[];
  let adId: string;

  beforeAll(async () => {
    sandbox = await openSharedSandbox(origin, stack.secret('x_client_secret'));
    for (const [name, secret] of Object.entries(S3_SECRETS))
      writeFileSync(join(stack.directory, 'deploy/compose/secrets', name), secret, { mode: 0o444 });
    addToEnv(stack, { S3_ENDPOINT: 'http://s3:8080', S3_BUCKET: 'pictures', S3_REGION: 'check-1' });
    addToEnv(stack, { GRAFANA_PASSWORD: 'not-run', PROMETHEUS_PORT: '0' });
    Object.assign(stack.env, sandbox.env, await provideOthers());
    Object.assign(stack.env, { PROXY_PORT: String(port), IMAGE_STORE: 'database' });
    await stack.up(...SERVICES);
    stack.marketctl('seed', 'categories');
    makePeople();
  });
  const makePeople = () => {
    [seller, ...buyers] = ['seller', 'ann', 'bob', 'cleo'].map((name) => addWriter(stack, name)) as [
      Writer,
      ...Writer[],
    ];
    adId = stack.sql(`insert into ads (user_id, title, description, price, category_id, listed)
      select ${seller.id}, 'Asked about', 'Much', 15, (select min(id) from categories), true returning id`);
  };
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') console.log(readComplaints(stack.tryCompose('logs', 'app', 'app-2').said));
  });
  afterAll(async () => {
    stack.close();
    await sandbox?.close();
  });

  const idOf = (service: string) => stack.compose('ps', '--quiet', service);
  /** Users read during `work`, and briefly before and after it. */
  const whileReading = async (work: () => Promise<unknown>, paths = PATHS): Promise<Load> => {
    const load = startLoad(origin, paths);
    await sleep(1000);
    await work().finally(() => load.stop());
    console.log(`${load.answered} requests, ${load.failures.length} failed`);
    return load;
  };
  /** Users write during `work`. Afterwards every acknowledged write must exist exactly once, and no other. */
  const whileWriting = async (work: () => Promise<unknown>): Promise<void> => {
    const writing = startWriting(origin, adId, seller, buyers);
    await work().finally(() => writing.stop());
    const { mark, ads, messages, retries } = writing;
    console.log(`${ads.length} ads and ${messages.length} messages written, ${retries} sent again`);
    expect(writing.refusals).toEqual([]);
    expect(ads.length).toBeGreaterThan(20);
    const told = (sql: string) => stack.sql(sql).split('\n').sort();
    expect(told(`select title from ads where title like '${mark} %'`)).toEqual(ads.sort());
    expect(told(`select content from messages where content like '${mark} %'`)).toEqual(messages.sort());
  };
  const replaceReplicas = async () => {
    for (const service of ['app', 'app-2']) await stack.up('--no-deps', service);
  };

  test('two people do the main job in a real browser', async () => {
    const { path, problem } = ensureChromium();
    if (!path) throw new Error(problem);
    // Chromium aborts requests (ERR_NETWORK_CHANGED) when the network interface of any container appears or disappears.
    for (let tries = 1; (await playMainJob(origin)) !== 0; tries++) {
      expect(tries).toBeLessThan(3);
      stack.sql('truncate users cascade');
      makePeople();
    }
  });

  test('restarting one after the other fails no request, and loses or doubles no write', async () => {
    await whileWriting(async () => {
      const load = await whileReading(async () => {
        for (const service of ['app', 'app-2']) {
          await stack.composeMeanwhile('restart', '--no-deps', service);
          await stack.up('--no-deps', service);
        }
      });
      expect(load.failures).toEqual([]);
      expect(load.answered).toBeGreaterThan(500);
    });
    for (const service of ['app', 'app-2']) expect(inspect(idOf(service), '{{.RestartCount}}')).toBe('0');
  });

  test('a replica that is killed loses or doubles no write', async () => {
    await whileWriting(async () => {
      await sleep(2000);
      await stack.composeMeanwhile('kill', 'app');
      await sleep(2000);
      await stack.up('--no-deps', 'app');
    });
  });

  test('images move to S3 and on to a shared folder while people look at them and post more', async () => {
    const gallery = openGallery(origin, buyers[0]!);
    const shown = await gallery.post();
    const stored = () => new Set(JSON.parse(stack.marketctl('images', 'stats', '-o', 'json')).map(storeOf));
    const images = (...args: string[]) => stack.composeMeanwhile('exec', '-T', 'app', 'marketctl', 'images', ...args);
    const move = async (from: string, to: string) => {
      await images('migrate', '--to', to);
      stack.env.IMAGE_STORE = to;
      await gallery.whilePosting(replaceReplicas);
      await images('migrate', '--from', from, '--to', to);
      await images('verify');
      expect(stored()).toEqual(new Set([to]));
    };
    const load = await whileReading(async () => {
      await move('database', 's3');
      stack.sql('truncate image_blobs');
      await move('s3', 'filesystem');
    }, [...PATHS, ...shown]);
    expect(load.failures).toEqual([]);
    expect(gallery.missing).toEqual([]);
    stack.compose('stop', 's3');
    for (const service of ['app', 'app-2']) stack.compose('exec', '-T', service, 'rm', '-rf', '/cache/media');
    expect(await gallery.findMissing()).toEqual([]);
  });

  test('upgrading to a release with a migration fails no request, and both replicas are new', async () => {
    const next = '0.2.0-check';
    await buildNext(next);
    stack.env.VERSION = next;
    const load = await whileReading(() => stack.script('deploy/compose/upgrade.sh', { BUILD: '0' }));
    expect(load.failures).toEqual([]);
    expect(stack.sql("select count(*) from ads where checked_by_upgrade = 'yes'")).toBe(
      stack.sql('select count(*) from ads'),
    );
    for (const service of ['app', 'app-2'])
      expect(inspect(idOf(service), '{{.Config.Image}}')).toBe(`${IMAGE}:${next}`);
  });

  test('Prometheus finds both replicas, takes the alerts, and has what every panel of the dashboard shows', async () => {
    const prometheus = openPrometheus(stack);
    await until(async () => (await prometheus.findTargets('up')).length === 2);
    const rules = await prometheus.findRules();
    expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
    expect(rules.map(({ name }) => name)).toContain('TradepostPostingStopped');
    for (const query of readDashboardQueries()) await until(async () => (await prometheus.query(query)).length > 0);
  });
});

const readComplaints = (logs: string): string =>
  logs
    .split('\n')
    .filter((line) => /"level":("?)(warn|error|fatal|[456]0)\1/.test(line))
    .slice(-30)
    .join('\n');

const storeOf = ({ store }: { store: string }) => store;

/**
 * Runs the main job of test/e2e against `origin`. Must not block the event loop, because the X simulator runs in this
 * process.
 */
const playMainJob = (origin: string): Promise<number | null> =>
  new Promise((resolve, reject) => {
    const args = ['test', '--config', join(ROOT, 'test/docker/playwright.config.ts')];
    const env = { ...process.env, E2E_ADDRESS: origin };
    spawn(join(ROOT, 'node_modules/.bin/playwright'), args, { cwd: ROOT, env, stdio: 'inherit' })
      .once('error', reject)
      .once('exit', resolve);
  });

async function buildNext(version: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tradepost-next-'));
  writeFileSync(
    join(folder, '20991231000000_check.ts'),
    `import type { Knex } from 'knex';
export const up = async (knex: Knex) => {
  await knex.raw('select pg_sleep(2)');
  await knex.raw("alter table ads add column checked_by_upgrade text not null default 'yes'");
};
export const down = (knex: Knex) => knex.raw('alter table ads drop column checked_by_upgrade');
`,
  );
  writeFileSync(join(folder, 'Dockerfile'), `FROM ${IMAGE}:${VERSION}\nCOPY --chmod=644 *.ts /app/migrations/\n`);
  await buildImage(`${IMAGE}:${version}`, [folder]);
  rmSync(folder, { recursive: true });
}
