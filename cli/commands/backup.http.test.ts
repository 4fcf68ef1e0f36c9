import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { seedDemo } from '../../seeds/demo/demo.ts';
import { openTestApp, type TestApp } from '../../test/harness/app.ts';
import { type CliSurroundings, fingerprint, runCli } from '../../test/harness/cli.ts';
import { insertCategories, insertUser } from '../../test/harness/factories.ts';
import { EXIT } from '../framework/errors.ts';

const dir = mkdtempSync(join(tmpdir(), 'backup-'));
const file = join(dir, 'market.tar');
const [origin, target] = [await openTestApp(), await openTestApp()];
const marketctl = ({ app }: TestApp, args: string, around: CliSurroundings = {}) =>
  runCli(args, { ...around, env: { DATABASE_URL: app.config.databaseUrl, ...around.env } });

const TABLES = [
  'users',
  'ads',
  'ad_images',
  'conversations',
  'messages',
  'favorites',
  'categories',
  'audit_log',
  'counters',
];

// looks are counted some time later, a robot's never
const AS_ROBOT = { headers: { 'User-Agent': 'backup-bot' } };

/** What people see: lists, search, an ad, a profile, numbers, a seller's own things and the bytes of images. */
const readAnswers = async (site: TestApp, adId: string, sellerId: string): Promise<unknown[]> => {
  const seller = await site.signIn(sellerId);
  const username = (await site.app.db('users').where({ id: sellerId }).first('username')).username;
  const ad = (await site.anonymous.send(`/api/ads/${adId}`, AS_ROBOT)).body;
  const open = [
    '/api/ads',
    '/api/ads?limit=100&category=electronics',
    '/api/ads?search=new',
    '/api/categories',
    '/api/categories/stats',
    '/api/stats',
    `/api/users/${username}/profile`,
    ...ad.imageUrls,
    ...ad.images.map((image: { thumbUrl: string }) => image.thumbUrl),
  ];
  const own = ['/api/messages/user', `/api/users/${sellerId}/ads`, '/api/users/me/stats', '/api/users/me/export'];
  const answers: unknown[] = [ad];
  for (const path of open) {
    const { status, body } = await site.anonymous.send(path, AS_ROBOT);
    expect([path, status]).toEqual([path, 200]);
    answers.push([path, body]);
  }
  for (const path of own) {
    const { status, body } = await seller.send(path);
    expect([path, status]).toEqual([path, 200]);
    // the moment of asking, the port and the session differ
    const { exportedAt: _at, site: _site, sessions: _sessions, ...rest } = body;
    answers.push([path, Array.isArray(body) ? body : rest]);
  }
  return answers;
};

let before: unknown[];
let adId: string;
let sellerId: string;

beforeAll(async () => {
  await insertCategories(origin.app);
  await seedDemo(origin.app, { ads: 300 });
  const { id } = await insertUser(origin.app, { display_name: 'Tab\tNewline\nBackslash\\N \u{1F600}' });
  const row = await origin.app.db.raw(
    'select a.id, a.user_id from ads a join ad_images using (id) where listed order by a.id limit 1'.replace(
      'using (id)',
      'i on i.ad_id = a.id',
    ),
  );
  adId = row.rows[0].id;
  sellerId = row.rows[0].user_id;
  await origin.app.db('x_posts').insert({ user_id: id, kind: 'favorite', ad_id: adId, body: 'Saved this ad' });
  const line = { user_id: id, kind: 'notice', title: 'Hello', body: '' };
  const [{ id: notification_id }] = await origin.app.db('notifications').insert(line).returning('id');
  await origin.app.db('notification_deliveries').insert([
    { notification_id, channel: 'email', status: 'sending', attempts: 1 },
    { notification_id, channel: 'push', status: 'waiting' },
  ]);
  before = await readAnswers(origin, adId, sellerId);
});

describe('marketctl backup', () => {
  test('create writes one file, for its owner only, and says what is in it', async () => {
    const { code, json, stderr } = await marketctl(origin, `backup create --out ${file} -o json`);
    expect([code, stderr]).toEqual([EXIT.ok, '']);
    expect(json()).toMatchObject({ file, images: expect.any(Number), rows: expect.any(Number) });
    expect(json().images).toBeGreaterThan(10);
    const { mode } = await import('node:fs').then((fs) => fs.statSync(file));
    expect(mode & 0o777).toBe(0o600);
  });

  test('--dry-run reads all of it and writes nothing', async () => {
    const names = readdirSync(dir);
    const made = (await marketctl(origin, `backup verify ${file} -o json`)).json();
    const { json, stderr } = await marketctl(origin, 'backup create --dry-run -o json');
    expect(stderr).toContain('Dry run');
    expect(json()).toMatchObject({ rows: made.rows, images: made.images, imageBytes: made.imageBytes });
    expect(readdirSync(dir)).toEqual(names);
  });

  test('any tar lists it; sessions are not in it', async () => {
    const { execFileSync } = await import('node:child_process');
    const names = execFileSync('tar', ['tf', file], { encoding: 'utf8' }).trim().split('\n');
    expect(names[0]).toBe('tradepost-backup.json');
    expect(names.slice(-2)).toEqual(['manifest.json', 'manifest.json.sha256']);
    expect(names.some((name) => name.includes('sessions'))).toBe(false);
  });

  test('verify and list know it', async () => {
    expect((await marketctl(origin, `backup verify ${file}`, { env: { DATABASE_URL: '' } })).code).toBe(EXIT.ok);
    expect((await marketctl(origin, `backup list ${dir} -o json`)).json()[0].file).toBe(file);
    expect((await marketctl(origin, 'backup verify /nowhere.tar')).code).toBe(EXIT.notFound);
  });

  test('a changed byte is found wherever it is, and so is a cut', async () => {
    const whole = readFileSync(file);
    const damaged = join(dir, 'damaged.bin');
    const places = [0, 100, 600, 1023, whole.length - 1, whole.length - 600, whole.length - 1100, whole.length - 1600];
    for (let i = 1; i < 40; i++) places.push(Math.floor((whole.length / 40) * i) + i);
    for (const place of places) {
      const changed = Buffer.from(whole);
      changed[place]! ^= 1;
      writeFileSync(damaged, changed);
      const { code, stderr } = await marketctl(origin, `backup verify ${damaged}`);
      expect([code, stderr], `byte ${place}`).toEqual([EXIT.unexpected, expect.stringContaining('damaged')]);
    }
    for (const length of [0, 512, 4096, whole.length - 512, whole.length - 1024]) {
      writeFileSync(damaged, whole.subarray(0, length));
      expect((await marketctl(origin, `backup verify ${damaged}`)).code, `cut at ${length}`).toBe(EXIT.unexpected);
    }
    writeFileSync(damaged, Buffer.concat([whole, Buffer.alloc(512)]));
    expect((await marketctl(origin, `backup verify ${damaged}`)).code).toBe(EXIT.unexpected);
  });

  test('a damaged file is not restored, not even in part', async () => {
    const damaged = join(dir, 'damaged.bin');
    const bytes = readFileSync(file);
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    writeFileSync(damaged, bytes);
    for (const how of ['--yes', '--dry-run'])
      expect((await marketctl(target, `backup restore ${damaged} ${how}`)).code).toBe(EXIT.unexpected);
    expect(await target.app.db('users').count()).toEqual([{ count: '0' }]);
  });

  test('restore wants a yes, and the schema of the backup', async () => {
    expect((await marketctl(target, `backup restore ${file}`)).code).toBe(EXIT.notConfirmed);
    await target.app.db('knex_migrations').insert({ name: '20990101000000_future.ts', batch: 9 });
    for (const how of ['--yes', '--dry-run']) {
      const { code, stderr } = await marketctl(target, `backup restore ${file} ${how}`);
      expect([code, stderr]).toEqual([
        EXIT.schema,
        expect.stringContaining('The backup lacks: 20990101000000_future.ts'),
      ]);
    }
    await target.app.db('knex_migrations').where({ name: '20990101000000_future.ts' }).delete();
  });

  test('--dry-run says that it would fit, and restores nothing', async () => {
    const before = await fingerprint(target.app.db, ...TABLES);
    const { code, stderr, json } = await marketctl(target, `backup restore ${file} --dry-run -o json`);
    expect([code, stderr]).toEqual([EXIT.ok, expect.stringContaining('Dry run')]);
    expect(json().file).toBe(file);
    expect(await fingerprint(target.app.db, ...TABLES)).toBe(before);
  });

  test('after a restore into an empty database the API answers the same', async () => {
    const { code, stderr } = await marketctl(target, `backup restore ${file} --yes --reason drill`);
    expect([code, stderr]).toEqual([EXIT.ok, '']);
    expect(await readAnswers(target, adId, sellerId)).toEqual(before);
    for (const table of ['users', 'conversations', 'messages', 'favorites', 'ad_images'])
      expect(await fingerprint(target.app.db, table)).toBe(await fingerprint(origin.app.db, table));
    const entry = await target.app.db('audit_log').orderBy('id', 'desc').first();
    expect(entry).toMatchObject({ action: 'backup.restore', details: { reason: 'drill' } });
  });

  test('a post to X that waited then is not sent: it may have been since', async () => {
    expect(await target.app.db('x_posts')).toMatchObject([{ status: 'unknown', is_ambiguous: true }]);
  });

  test('a mail or push that waited then is not sent: it may have been since, or is out of date', async () => {
    const skipped = { status: 'skipped', error: 'restored from a backup' };
    expect(await target.app.db('notification_deliveries').orderBy('channel')).toMatchObject([skipped, skipped]);
  });

  test('numbers go on where they were: no id is given out twice', async () => {
    const highest = await origin.app.db('users').max('id').first();
    const { id } = await insertUser(target.app, { username: 'later', x_id: '1' });
    expect(BigInt(id)).toBeGreaterThan(BigInt(highest!.max));
  });

  test('a second restore is refused: the database is not empty', async () => {
    const unchanged = await fingerprint(target.app.db, ...TABLES);
    for (const how of ['--yes', '--dry-run']) {
      const { code, stderr } = await marketctl(target, `backup restore ${file} ${how}`);
      expect([code, stderr]).toEqual([EXIT.conflict, expect.stringMatching(/not empty: .*\busers\b/)]);
    }
    expect(await fingerprint(target.app.db, ...TABLES)).toBe(unchanged);
  });

  test('--replace keeps what was there in a backup of its own, and forgets idempotency keys', async () => {
    const key = { scope: 'user:1', key: 'of-this-test', endpoint: 'POST /api/ads', body_hash: Buffer.alloc(32) };
    await target.app.db('idempotency_keys').insert({ ...key, status: 201, reply: '{}' });
    const { code, stderr } = await marketctl(target, `backup restore ${file} --yes --replace`);
    expect(code).toBe(EXIT.ok);
    const point = /in (.+\.tar)\./.exec(stderr)![1]!;
    expect((await marketctl(target, `backup verify ${point}`)).code).toBe(EXIT.ok);
    expect(await target.app.db('users').where({ username: 'later' })).toEqual([]);
    expect(await target.app.db('idempotency_keys')).toEqual([]);
    expect(await readAnswers(target, adId, sellerId)).toEqual(before);
    const kept = readFileSync(point);
    expect((await marketctl(target, `backup restore ${point} --yes --replace`)).code).toBe(EXIT.ok);
    expect(await target.app.db('users').where({ username: 'later' })).toHaveLength(1);
    expect(kept.equals(readFileSync(point)), 'the restore point was written over').toBe(true);
  });

  test('--replace writes what was there wherever --keep says, also to standard output', async () => {
    const point = join(dir, 'kept.tar');
    const toFile = await marketctl(target, `backup restore ${file} --yes --replace --keep ${point}`);
    expect([toFile.code, toFile.stderr]).toEqual([EXIT.ok, expect.stringContaining(`What was there is in ${point}.`)]);
    expect((await marketctl(target, `backup verify ${point}`)).code).toBe(EXIT.ok);
    const piped = await marketctl(target, `backup restore ${file} --yes --replace --keep - -o json`);
    expect([piped.code, piped.stderr]).toEqual([
      EXIT.ok,
      expect.stringMatching(/in standard output\.\n[\s\S]*Restored the backup of /),
    ]);
    expect(piped.stdout.slice(0, 20)).toBe('tradepost-backup.jso');
    expect(piped.stdout.endsWith('\0'.repeat(1024)), 'something was printed behind the backup').toBe(true);
  });

  test.each(['backup create --out -', 'backup restore FILE --yes --replace --keep -'])(
    '%s is refused on a terminal, before anything is done',
    async (words) => {
      const line = words.replace('FILE', file);
      const unchanged = await fingerprint(target.app.db, ...TABLES);
      const { code, stdout, stderr } = await marketctl(target, line, { columns: 80 });
      expect([code, stdout, stderr]).toEqual([EXIT.usage, '', expect.stringContaining('cannot go to a terminal')]);
      expect(await fingerprint(target.app.db, ...TABLES)).toBe(unchanged);
      expect((await marketctl(target, `${line} --dry-run`, { columns: 80 })).code).toBe(EXIT.ok);
    },
  );

  test('where what was there cannot be written, nothing is replaced, and the message says what to do', async () => {
    const unchanged = await fingerprint(target.app.db, ...TABLES);
    const { code, stderr } = await marketctl(target, `backup restore ${file} --yes --replace --keep /nowhere/kept.tar`);
    expect([code, stderr]).toEqual([
      EXIT.notFound,
      expect.stringMatching(/cannot be written: ENOENT[\s\S]*--keep FILE/),
    ]);
    expect(await fingerprint(target.app.db, ...TABLES)).toBe(unchanged);
    expect((await marketctl(target, `backup restore ${file} --yes --keep -`)).code).toBe(EXIT.usage);
  });

  test('a site closed for maintenance stays closed until it is opened', async () => {
    await marketctl(target, 'maintenance on');
    expect((await marketctl(target, `backup restore ${file} --yes --replace`)).code).toBe(EXIT.ok);
    expect((await target.anonymous.send('/api/ads')).status).toBe(503);
    await marketctl(target, 'maintenance off');
    await expect.poll(async () => (await target.anonymous.send('/api/ads')).status).toBe(200);
  });

  test('images move into the configured store', async () => {
    const env = { IMAGE_STORE: 'filesystem', IMAGE_DIR: join(dir, 'images') };
    expect((await marketctl(target, `backup restore ${file} --yes --replace`, { env })).code).toBe(EXIT.ok);
    const { code, stderr } = await marketctl(target, 'images verify', { env });
    expect([code, stderr]).toEqual([EXIT.ok, 'Every image is there and whole.\n']);
  });

  test('a restore expires the ads whose day has passed and continues unfinished changes of ads', async () => {
    const { db } = origin.app;
    const later = join(dir, 'later.tar');
    const [ad] = await db('ads').where({ listed: true, is_sold: false }).orderBy('id', 'desc').limit(1).pluck('id');
    const pending = await insertUser(origin.app, { ads_pending: true, banned_at: new Date().toISOString() });
    await db.raw('alter table ads disable trigger user');
    await db('ads').where({ id: ad }).update({ expires_at: '2020-01-01' });
    await db.raw('alter table ads enable trigger user');
    expect((await marketctl(origin, `backup create --out ${later}`)).code).toBe(EXIT.ok);
    expect((await marketctl(target, `backup restore ${later} --yes --replace`)).code).toBe(EXIT.ok);
    const restored = await target.app.db('ads').where({ id: ad }).first('state', 'listed');
    expect(restored).toEqual({ state: 'expired', listed: false });
    const jobs = await target.app.db('graphile_worker.jobs').where({ task_identifier: 'update-seller-ads' });
    expect(jobs.map(({ key }) => key)).toEqual([`seller-ads-${pending.id}`]);
  });

  test('Ctrl-C leaves no file and no half a marketplace', async () => {
    const stop = new AbortController();
    stop.abort();
    const half = join(dir, 'half.tar');
    const created = await marketctl(origin, `backup create --out ${half}`, { signal: stop.signal });
    expect(created.code).toBe(EXIT.interrupted);
    expect((await marketctl(origin, `backup verify ${half}`)).code).toBe(EXIT.notFound);
    expect((await marketctl(origin, `backup verify ${half}.partial`)).code).toBe(EXIT.notFound);
  });
});
