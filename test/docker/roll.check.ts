import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../../local/start/free-port.ts';
import { ensureChromium } from '../chromium.ts';
import { findMissing, IMAGE, inspect, ROOT, VERSION } from './docker.ts';
import { buildImage, provideImage } from './images.ts';
import { type Load, startLoad } from './load.ts';
import { openSharedSandbox, type SharedSandbox } from './sandbox.ts';
import { openStack } from './stack.ts';

const PATHS = ['/', '/api/ads', '/api/categories/stats', '/api/ads?search=desk', '/categories', '/healthz'];

describe.skipIf(findMissing())('two replicas behind a proxy with TLS', async () => {
  const port = await findFreePort('127.0.0.1', 0);
  const origin = `https://localhost:${port}`;
  const files = ['deploy/compose/compose.proxy.yml', 'deploy/compose/compose.replicas.yml'];
  const stack = openStack('roll', origin, [...files, join(ROOT, 'test/docker/compose.check.yml')]);
  let sandbox: SharedSandbox;

  beforeAll(async () => {
    sandbox = await openSharedSandbox(origin, stack.secret('x_client_secret'));
    Object.assign(stack.env, sandbox.env, { PROXY_PORT: String(port), CADDY_IMAGE: await provideImage('caddy:2') });
    await stack.up();
    stack.marketctl('seed', 'categories');
  });
  afterAll(async () => {
    stack.close();
    await sandbox?.close();
  });

  const idOf = (service: string) => stack.compose('ps', '--quiet', service);
  /** People read while `work` goes on, and a while before and after it. */
  const whileReading = async (work: () => Promise<unknown>): Promise<Load> => {
    const load = startLoad(origin, PATHS);
    await sleep(1000);
    await work();
    await sleep(1000);
    await load.stop();
    console.log(`${load.answered} requests, ${load.failures.length} failed`);
    return load;
  };

  test('two people do the main job in a real browser', async () => {
    const { path, problem } = ensureChromium();
    if (!path) throw new Error(problem);
    expect(await playMainJob(origin)).toBe(0);
  });

  test('restarting one after the other, twice, fails no request', async () => {
    const load = await whileReading(async () => {
      for (const service of ['app', 'app-2', 'app', 'app-2']) {
        await stack.composeMeanwhile('restart', '--no-deps', service);
        await stack.up('--no-deps', service);
      }
    });
    expect(load.failures).toEqual([]);
    expect(load.answered).toBeGreaterThan(500);
    for (const service of ['app', 'app-2']) expect(inspect(idOf(service), '{{.RestartCount}}')).toBe('0');
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
});

/** Runs the journey of test/e2e against `origin`; our own loop goes on, for the sandbox lives in it. */
const playMainJob = (origin: string): Promise<number | null> =>
  new Promise((resolve, reject) => {
    const args = ['test', '--config', join(ROOT, 'test/docker/playwright.config.ts')];
    const env = { ...process.env, E2E_ADDRESS: origin };
    spawn(join(ROOT, 'node_modules/.bin/playwright'), args, { cwd: ROOT, env, stdio: 'inherit' })
      .once('error', reject)
      .once('exit', resolve);
  });

/** The image with one migration more. */
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
