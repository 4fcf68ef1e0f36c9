import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setAside } from '../../server/db/set-aside.ts';
import { openCliDatabase, runCli } from '../../test/harness/cli.ts';
import { insertUser } from '../../test/harness/factories.ts';
import { withContext } from '../framework/context.ts';
import { EXIT } from '../framework/errors.ts';
import { createProgram } from '../program.ts';

const { db, run } = await openCliDatabase();
const GONE = { DATABASE_URL: 'postgres://who:secret@127.0.0.1:1/gone' };

describe('marketctl migrate', () => {
  test('status lists what is applied; up finds nothing to do, twice', async () => {
    const { json, code, stderr } = await run('migrate status --check -o json');
    expect([code, stderr]).toEqual([EXIT.ok, 'The schema is current.\n']);
    expect(json()[0]).toEqual({
      name: '20261121000100_text_search.ts',
      appliedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    for (let i = 0; i < 2; i++) {
      const up = await run('migrate up -o json');
      expect([up.code, up.json(), up.stderr]).toEqual([EXIT.ok, [], 'Nothing to do. The schema is current.\n']);
    }
    expect((await run('migrate unlock -o json')).json()).toEqual({ wasLocked: false });
    await db('knex_migrations_lock').update({ is_locked: 1 });
    expect((await run('migrate unlock --dry-run -o json')).json()).toEqual({ wasLocked: true });
    expect((await run('migrate unlock -o json')).json()).toEqual({ wasLocked: true });
    expect(await db('knex_migrations_lock').pluck('is_locked')).toEqual([0]);
  });

  test('down wants a yes and says what it reverted; status --check is 8 until up', async () => {
    expect((await run('migrate down')).code).toBe(EXIT.notConfirmed);
    const names = (await run('migrate status -q')).lines;
    const tried = await run('migrate down --steps 2 --dry-run -q');
    expect(tried.lines).toEqual(names.slice(-2).reverse());
    expect((await run('migrate status -q')).lines).toEqual(names);
    expect((await run('migrate down --dry-run')).stderr).toMatch(/current\.\nDry run: .* would happen:\n$/);
    expect((await run('migrate down --yes -q')).lines).toEqual([names.at(-1)]);
    expect((await run('migrate up --dry-run -q')).lines).toEqual([names.at(-1)]);
    expect((await run('migrate status --check')).code).toBe(EXIT.schema);
    expect((await run('doctor --only schema')).code).toBe(EXIT.schema);
    expect((await run('migrate up -q')).lines).toEqual([names.at(-1)]);
    expect((await run('migrate down --steps 0 --yes')).code).toBe(EXIT.usage);
  });

  test('while another holds the lock, unlock and up --wait 0s end with 8 and name the holder', async () => {
    const holder = await db.transaction();
    await holder.raw('select pg_advisory_lock(7245091)');
    for (const line of ['migrate unlock', 'migrate up --wait 0s']) {
      const { code, stderr } = await run(line);
      expect([code, stderr]).toEqual([EXIT.schema, expect.stringMatching(/held by pid \d+/)]);
    }
    await holder.raw('select pg_advisory_unlock(7245091)');
    await holder.rollback();
  });
});

describe('an older release on the schema of a newer one', () => {
  const NEWER = '99990101000000_of_a_newer_release.ts';
  const SENTENCE = `The schema is newer than this release, by ${NEWER}. This release runs on it: migrations only add.`;
  const others = () => db('knex_migrations').max('id').first();
  beforeAll(
    async () => void (await db('knex_migrations').insert({ name: NEWER, batch: 99, migration_time: db.fn.now() })),
  );
  afterAll(async () => void (await db('knex_migrations').where({ name: NEWER }).delete()));

  test.each(['migrate up', 'migrate up --dry-run', 'migrate status', 'migrate status --check'])(
    '%s says so, and ends well',
    async (line) => {
      const before = await others();
      const { code, stderr } = await run(line);
      expect([code, stderr]).toEqual([EXIT.ok, expect.stringContaining(SENTENCE)]);
      expect(await others()).toEqual(before);
    },
  );

  test('doctor passes it', async () => {
    const [schema] = (await run('doctor --only schema -o json')).json();
    expect(schema).toMatchObject({ check: 'schema', status: 'pass', detail: SENTENCE });
  });

  test('migrate down is refused with the reason', async () => {
    const { code, stderr } = await run('migrate down --yes');
    expect([code, stderr]).toEqual([EXIT.schema, expect.stringContaining(`A newer release brought ${NEWER}`)]);
  });

  test('a history that is not ours is refused by migrate up and named by doctor', async () => {
    const name = '20261121000150_of_somebody_else.ts';
    await db('knex_migrations').insert({ name, batch: 99, migration_time: db.fn.now() });
    const [up, doctor] = [await run('migrate up'), await run('doctor --only schema -o json')];
    await db('knex_migrations').where({ name }).delete();
    expect([up.code, up.stderr]).toEqual([EXIT.schema, expect.stringContaining(name)]);
    expect(doctor.json()[0]).toMatchObject({ status: 'fail', detail: expect.stringContaining(name) });
  });
});

describe('a database that cannot be reached', () => {
  test('is waited for longer than a visitor would: a busy machine takes its time to open a connection', async () => {
    const { stdin, stdout, stderr } = process;
    const around = { env: GONE, stdin, stdout, stderr, signal: new AbortController().signal };
    const wait = await withContext(
      createProgram(around).cli,
      async ({ ctx }) => ctx.db.client.config.acquireConnectionTimeout,
    );
    expect(wait).toBeGreaterThanOrEqual(30_000);
  });

  test('ends with 4, naming host, user and code but no password', async () => {
    for (const line of [
      'db status',
      'user list',
      'migrate status',
      'stats export',
      'seed categories',
      'backup create --out -',
    ]) {
      const { code, stderr, stdout } = await runCli(line, { env: GONE });
      expect([line, code, stdout]).toEqual([line, EXIT.unreachable, '']);
      expect(stderr).toContain('ECONNREFUSED');
      expect(stderr).toContain('database gone on 127.0.0.1:1 as who');
      expect(stderr).not.toContain('secret');
    }
    const socket = { DATABASE_URL: 'postgres://who:secret@/gone?host=/nowhere' };
    const { code, stderr } = await runCli('db status', { env: socket });
    expect([code, stderr]).toEqual([EXIT.unreachable, expect.stringContaining('database gone on /nowhere as who')]);
  });

  test('doctor says so and skips the rest', async () => {
    const { code, json } = await runCli('doctor -o json', { env: GONE });
    expect(code).toBe(EXIT.unreachable);
    expect(json().map((row: { status: string }) => row.status)).toEqual([
      'pass',
      'pass',
      'fail',
      ...Array(12).fill('skip'),
    ]);
    const { detail } = json()[2];
    expect(detail).toMatch(/ECONNREFUSED.* It was database gone on 127\.0\.0\.1:1 as who\.$/);
    expect(detail).not.toContain('secret');
  });

  test('doctor lists every check even if the configuration is wrong', async () => {
    const env = { SMTP_URL: 'nonsense' };
    const all = await run('doctor -o json', { env });
    const statusOf = (row: { status: string }) => row.status;
    expect([all.code, all.json().map(statusOf)]).toEqual([EXIT.config, ['pass', 'fail', ...Array(13).fill('skip')]]);
    expect(all.json()[2]).toMatchObject({ check: 'database', detail: 'needs a valid configuration' });
    const { json } = await run('doctor -o json --only database,schema', { env });
    expect(json().map(statusOf)).toEqual(['fail', 'skip']);
  });

  test('a configuration that is wrong ends with 3 before anything is tried', async () => {
    const { code, stderr } = await runCli('user list', { env: { DATABASE_URL: 'mysql://x', PORT: 'x' } });
    expect([code, stderr]).toEqual([EXIT.config, expect.stringMatching(/PORT[\s\S]*DATABASE_URL/)]);
  });
});

describe('marketctl doctor, db, health', () => {
  test('doctor names the version of Node, rows that are set aside, and tables that bloat or grow', async () => {
    const check = async (name: string) => (await run(`doctor --only ${name} -o json`)).json()[0];
    try {
      expect(await check('node')).toMatchObject({ status: 'pass', detail: `Node.js ${process.versions.node}` });
      expect(await check('rows')).toMatchObject({ status: 'pass' });
      await setAside(db, 'match-searches', '17', new Error('select 1 - no number'));
      expect(await check('rows')).toMatchObject({
        status: 'warn',
        detail: expect.stringContaining('match-searches 17 (no number)'),
      });
      const { id } = await insertUser({ db });
      const sha256 = Buffer.alloc(32, 7);
      await db('images').insert({ sha256, width: 4, height: 3, color: '#ffffff' });
      await db('photos').insert({ user_id: id, sha256, created_at: db.raw("now() - interval '25 hours'") });
      expect(await check('images')).toMatchObject({ status: 'pass' });
      await db('photos').update({ created_at: db.raw("now() - interval '27 hours'") });
      expect(await check('images')).toMatchObject({
        status: 'warn',
        detail: 'images are in the database; 1 uploaded photo kept for more than 24 hours',
        advice: expect.stringContaining('marketctl jobs run clean-up'),
      });
      await db('photos').delete();
      await db('images').delete();
      await db('users').where({ id }).delete();
      expect(await check('tables')).toMatchObject({ status: 'pass' });
      // a vacuum between the deletion and its statistics would count its rows twice
      await db.raw('create table bulk with (autovacuum_enabled = false) as select n from generate_series(1, 400000) n');
      await db.raw("insert into table_sizes values (now()::date - 1, 'bulk', 0)");
      await db.raw('delete from bulk where n % 4 = 0');
      const tables = async () => (await check('tables')).detail;
      await expect.poll(tables).toMatch(/bulk has 25 % dead rows; bulk grows by 300,000|bulk has 25 % dead rows/);
      await db.raw('insert into bulk select generate_series(1, 100000)');
      await expect.poll(tables).toContain('bulk grows by 400,000 rows a day');
    } finally {
      await db.raw('drop table if exists bulk');
      await db.raw('delete from set_aside');
      await db.raw('delete from table_sizes');
    }
  });

  test('doctor fails while there are no categories, then passes', async () => {
    expect((await run('doctor --only seed')).code).toBe(EXIT.unexpected);
    await run('seed categories');
    const { code, json, stderr } = await run('doctor -o json');
    expect([code, stderr]).toEqual([EXIT.ok, expect.stringMatching(/^Nothing has failed; \d+ warnings\.\n$/)]);
    expect((await run('doctor --only admin')).stderr).toBe('Nothing has failed; 1 warning.\n');
    expect((await run('doctor --only seed')).stderr).toBe('Nothing is wrong.\n');
    expect(json().find((row: { check: string }) => row.check === 'admin')).toMatchObject({
      status: 'warn',
      advice: expect.stringContaining('admin create'),
    });
    expect((await run('doctor --only nothing')).code).toBe(EXIT.usage);
  });

  test('doctor warns while there are no places', async () => {
    const check = async () => (await run('doctor --only places -o json')).json()[0];
    expect(await check()).toMatchObject({ status: 'warn', advice: expect.stringContaining('seed places') });
    await run('seed places --countries LI');
    expect(await check()).toMatchObject({ status: 'pass' });
  });

  test('doctor finds late jobs behind any number of mails, which may wait', async () => {
    const add = (name: string, count: number) =>
      db.raw(
        `select graphile_worker.add_job(?, '{}', run_at := now() - interval '2 hours') from generate_series(1, ?)`,
        [name, count],
      );
    const check = async () => (await run('doctor --only jobs -o json')).json()[0];
    await add('deliver-bulk-mail', 1001);
    expect(await check()).toMatchObject({ status: 'pass', detail: '1,001 waiting jobs' });
    await db.raw('update graphile_worker._private_jobs set attempts = max_attempts where id % 1001 = 0');
    expect(await check()).toMatchObject({ status: 'warn', detail: '1 failed job' });
    await add('fold-counters', 2);
    expect(await check()).toMatchObject({ status: 'warn', detail: '2 jobs late by ten minutes or more' });
    await db.raw('delete from graphile_worker._private_jobs');
  });

  test('doctor tells of webhooks that wait, of those of the marketplace that fail, and of secrets without key', async () => {
    const env = { TOKEN_ENC_KEY: 'a-key-of-at-least-thirty-two-characters-a' };
    const check = async (more = env) => (await run('doctor --only webhooks -o json', { env: more })).json()[0];
    expect(await check()).toMatchObject({ status: 'pass', detail: '0 webhooks on, 0 failing, 0 given up' });
    const { id } = (
      await run('webhook create --url https://example.com/hook --events user.banned -o json', { env })
    ).json();
    expect(await check()).toMatchObject({ status: 'pass', detail: '1 webhook on, 0 failing, 0 given up' });
    await db('webhook_deliveries').insert({ webhook_id: id, type: 'user.banned', data: { userId: '7' } });
    await db.raw("update webhook_deliveries set next_at = now() - interval '11 minutes'");
    expect(await check()).toMatchObject({ status: 'warn', detail: 'a delivery has been due for 11 minutes' });
    await db('webhooks').update({ failing_since: db.fn.now() });
    expect(await check()).toMatchObject({
      status: 'warn',
      detail: `webhooks of the marketplace that fail: ${id} (example.com)`,
      advice: `marketctl webhook deliveries ${id}`,
    });
    expect(await check({ TOKEN_ENC_KEY: 'another-key-of-thirty-two-characters-b' })).toMatchObject({
      status: 'warn',
      detail: 'the secrets of 1 webhook cannot be read',
    });
    await db('webhooks').delete();
  });

  test('db status has stable fields', async () => {
    const { json } = await run('db status -o json');
    expect(json()).toMatchObject({ isReplica: false, connections: expect.any(Number), version: expect.any(String) });
  });

  test('health is 0 when the server is well, 1 when it is not or does not answer', async () => {
    const server = createServer((req, res) => {
      res.setHeader('Connection', 'close');
      res.statusCode = req.url === '/livez' ? 200 : 503;
      res.end('{"status":"x"}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    expect((await runCli(`health --live --url ${url} -o json`)).json()).toEqual({
      check: 'livez',
      status: 'ok',
      detail: '{"status":"x"}',
    });
    expect((await runCli('health --live', { env: { PORT: String(port) } })).code).toBe(EXIT.ok);
    const unwell = await runCli(`health --url ${url}`);
    expect([unwell.code, unwell.stderr]).toEqual([EXIT.unexpected, `${url}/readyz is not well.\n`]);
    await new Promise((resolve) => server.close(resolve));
    const gone = await runCli(`health --url ${url} -o json`);
    expect([gone.code, gone.json().detail]).toEqual([EXIT.unexpected, 'ECONNREFUSED']);
    expect(gone.stderr).toContain(`${url}/readyz does not answer.\n`);
    // a port that fetch will not call
    expect((await runCli('health --url http://127.0.0.1:1 -o json')).json().detail).toBe('bad port');
    expect((await runCli('health --url nonsense')).code).toBe(EXIT.usage);
  });
});

describe('marketctl images', () => {
  const dir = mkdtempSync(join(tmpdir(), 'images-'));
  afterAll(() => rmSync(dir, { recursive: true }));
  const env = { IMAGE_DIR: dir };

  test('stats, verify and gc on what seed demo painted', async () => {
    expect((await run('seed demo --ads 30 --users 20')).code).toBe(EXIT.ok);
    const sums = (await run('images stats -o json')).json();
    expect(sums.map((row: { variant: string }) => row.variant).sort()).toEqual(['full', 'thumb']);
    expect((await run('images verify')).code).toBe(EXIT.ok);
    expect((await run('images gc -o json')).json()).toEqual({ collected: 0, swept: 0 });
  });

  test('gc counts what no ad shows before it deletes it', async () => {
    await db('images').insert({
      sha256: Buffer.alloc(32, 7),
      width: 1,
      height: 1,
      color: '#000000',
      created_at: db.raw("now() - interval '2 hours'"),
    });
    expect((await run('images gc --dry-run -o json')).json()).toEqual({ collected: 1, swept: 0 });
    expect((await run('images gc -o json')).json()).toEqual({ collected: 1, swept: 0 });
    expect((await run('images gc --dry-run -o json')).json()).toEqual({ collected: 0, swept: 0 });
  });

  test('migrate copies once; both stores verify; a damaged and a missing image are found', async () => {
    const planned = (await run('images migrate --to filesystem --dry-run -o json', { env })).json();
    expect(readdirSync(dir)).toEqual([]);
    const first = (await run('images migrate --to filesystem -o json', { env })).json();
    expect(planned).toEqual(first);
    expect(first.copied).toBeGreaterThan(10);
    const second = (await run('images migrate --to filesystem -o json', { env })).json();
    expect(second).toEqual({ ...first, copied: 0, skipped: first.copied });
    expect((await run('images verify', { env: { ...env, IMAGE_STORE: 'filesystem' } })).code).toBe(EXIT.ok);
    expect((await run('images migrate --to database', { env })).code).toBe(EXIT.usage);
    for (const line of ['--to s3', '--from s3 --to database']) {
      const { code, stderr } = await run(`images migrate ${line}`, { env: { ...env, S3_BUCKET: 'pictures' } });
      expect([line, code, stderr]).toEqual([line, EXIT.config, expect.stringContaining('S3_ENDPOINT and S3_BUCKET')]);
    }
    await db.raw(
      "update image_blobs set bytes = 'x' where ctid = (select ctid from image_blobs where variant = 'full' limit 1)",
    );
    await db.raw("delete from image_blobs where ctid = (select ctid from image_blobs where variant = 'thumb' limit 1)");
    const { code, json } = await run('images verify -o json');
    expect(code).toBe(EXIT.unexpected);
    expect(
      json()
        .map((row: { problem: string }) => row.problem)
        .sort(),
    ).toEqual(['damaged', 'missing']);
  });
});

describe('marketctl keys, version', () => {
  test('keys are long enough for SESSION_KEYS and never the same', async () => {
    const { lines } = await runCli('keys generate --count 3');
    expect(new Set(lines).size).toBe(3);
    expect(lines.every((line) => /^[\w-]{43}$/.test(line))).toBe(true);
    expect((await runCli('keys generate --count 2 -o json')).json()[0].key).toHaveLength(43);
    expect((await runCli('keys generate --bytes 8')).code).toBe(EXIT.usage);
  });

  test('version is that of package.json', async () => {
    for (const line of ['version', '--version', '-V', 'version --no-color'])
      expect((await runCli(line)).stdout).toBe(`tradepost 0.1.0 (node ${process.versions.node})\n`);
    expect((await runCli('version -o json')).json()).toEqual({ version: '0.1.0', node: process.versions.node });
  });
});
