import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { listMigrationNames, migrateDown } from '../../server/db/migrate.ts';
import { openTestApp } from '../../test/harness/app.ts';
import { fingerprint, openCliDatabase, runCli } from '../../test/harness/cli.ts';
import { createTestDatabase } from '../../test/harness/database.ts';
import { insertUser } from '../../test/harness/factories.ts';
import { EXIT } from '../framework/errors.ts';

const OLD_SCHEMA = '20261121000700_x_posting.ts';
const FUTURE = '20990101000000_future.ts';

const dir = mkdtempSync(join(tmpdir(), 'backup-schemas-'));
const file = join(dir, 'old.tar');
const origin = await openCliDatabase();
const targetDatabase = await createTestDatabase();
const target = await openTestApp({ database: targetDatabase });
const onTarget = (line: string) => runCli(line, { env: { DATABASE_URL: targetDatabase.url } });

const photo = Buffer.from('a photo');
const sha256 = createHash('sha256').update(photo).digest();

const readTotals = (db: typeof origin.db) => db('counter_totals').select().orderBy('key');
const readSchema = async (db: typeof origin.db) => {
  const { rows } = await db.raw(
    `select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
     where table_schema = 'public' order by 1, 2`,
  );
  const indexes = await db.raw("select indexdef from pg_indexes where schemaname = 'public' order by 1");
  return [rows, indexes.rows];
};

/** A marketplace in the schema of an older release, with all that its rows can be. */
const fillOldSchema = async (): Promise<void> => {
  const { db, url } = origin;
  const names = await listMigrationNames();
  await migrateDown({ url }, names.length - 1 - names.indexOf(OLD_SCHEMA));
  const [books] = await db('categories')
    .insert({ slug: 'books', name: 'Books', emoji: '📚', position: 1 })
    .returning('id');
  const people = ['ann', 'bob'].map((username, i) => ({
    username,
    display_name: `Dr.\t${username}\\N`,
    x_id: `${i + 1}`,
  }));
  const [ann, bob] = await db('users').insert(people).returning('id');
  const ad = { user_id: ann.id, category_id: books.id, description: 'Old\nbut good', price: 5 };
  const ads = await db('ads')
    .insert([
      { ...ad, title: 'Atlas', state: 'active' },
      { ...ad, title: 'Globe', state: 'inactive' },
      { ...ad, title: 'Compass', state: 'pending' },
    ])
    .returning('id');
  await db('images').insert({ sha256, width: 4, height: 3, color: '#ffffff' });
  await db('image_blobs').insert({ sha256, variant: 'full', bytes: photo });
  await db('ad_images').insert({ ad_id: ads[0].id, sha256, position: 0 });
  await db('favorites').insert({ user_id: bob.id, ad_id: ads[0].id });
  await db('x_posts').insert({ user_id: bob.id, kind: 'favorite', ad_id: ads[0].id, body: 'Saved this ad' });
};

let totals: unknown[];
beforeAll(async () => {
  await fillOldSchema();
  totals = await readTotals(origin.db);
  expect((await origin.run(`backup create --out ${file}`)).code).toBe(EXIT.ok);
});

describe('a backup of an older schema', () => {
  test('fits into an empty database of this release, says --dry-run', async () => {
    const before = await readSchema(target.app.db);
    expect((await onTarget(`backup restore ${file} --dry-run`)).code).toBe(EXIT.ok);
    expect(await readSchema(target.app.db)).toEqual(before);
  });

  test('is restored into it: the rows, the numbers and the schema of this release', async () => {
    const { db } = target.app;
    const before = await readSchema(db);
    const { code, stderr } = await onTarget(`backup restore ${file} --yes`);
    // on a busy machine it takes so long that it shows its progress
    expect([code, stderr.replace(/^Restoring: \d+\n/gm, '')]).toEqual([EXIT.ok, '']);
    expect(await readSchema(db)).toEqual(before);
    expect((await onTarget('migrate status --check')).code).toBe(EXIT.ok);
    for (const table of ['ad_images', 'image_blobs'])
      expect(await fingerprint(db, table)).toBe(await fingerprint(origin.db, table));
    expect(await db('users').orderBy('id').pluck('display_name')).toEqual(['Dr.\tann\\N', 'Dr.\tbob\\N']);
    expect(await readTotals(db)).toEqual(expect.arrayContaining(totals));
    expect(await db('x_posts')).toMatchObject([{ status: 'unknown', is_ambiguous: true }]);
  });

  test('comes through the migrations that its rows had not seen', async () => {
    const taken = await target.app.db('ads').orderBy('id').select('title', 'state', 'taken_down');
    expect(taken).toEqual([
      { title: 'Atlas', state: 'active', taken_down: false },
      { title: 'Globe', state: 'inactive', taken_down: true },
      { title: 'Compass', state: 'pending', taken_down: false },
    ]);
  });

  test('is listed, found and shown with its photo', async () => {
    const list = await target.anonymous.send('/api/ads?search=atlas');
    expect(list.body).toMatchObject([{ title: 'Atlas' }]);
    expect((await target.anonymous.send('/api/stats')).body).toMatchObject({ activeAds: 1, users: 2 });
    const image = await target.anonymous.send(list.body[0].imageUrls[0]);
    expect(image.status).toBe(200);
  });

  test('gives no id out twice', async () => {
    const { max } = (await origin.db('users').max('id').first())!;
    const { id } = await insertUser(target.app, { username: 'later', x_id: '7' });
    expect(BigInt(id)).toBeGreaterThan(BigInt(max));
  });

  test('replaces what is there, whose own backup is of this schema', async () => {
    const restored = await onTarget(`backup restore ${file} --yes --replace --keep ${join(dir, 'kept.tar')}`);
    expect(restored.code).toBe(EXIT.ok);
    expect(await target.app.db('users').pluck('username')).toEqual(['ann', 'bob']);
    expect((await onTarget(`backup restore ${join(dir, 'kept.tar')} --yes --replace`)).code).toBe(EXIT.ok);
    expect(await target.app.db('users').where({ username: 'later' })).toHaveLength(1);
  });

  test('that fails on its way leaves schema and rows as they were', async () => {
    const { db } = target.app;
    const tables = ['users', 'ads', 'favorites', 'audit_log', 'knex_migrations'];
    const [schema, rows] = [await readSchema(db), await fingerprint(db, ...tables)];
    // What the last step of a restore writes is refused.
    await db.raw(`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'refused'; end $$`);
    await db.raw('create trigger refuse before insert on audit_log for each row execute function refuse()');
    const { code, stderr } = await onTarget(`backup restore ${file} --yes --replace`);
    await db.raw('drop function refuse cascade');
    expect([code, stderr]).toEqual([EXIT.unexpected, expect.stringContaining('refused')]);
    expect([await readSchema(db), await fingerprint(db, ...tables)]).toEqual([schema, rows]);
  });
});

test('a backup of a newer schema is refused, and the message says by what it can be restored', async () => {
  const newer = join(dir, 'newer.tar');
  await origin.db('knex_migrations').insert({ name: FUTURE, batch: 9 });
  await origin.run(`backup create --out ${newer}`);
  const before = await fingerprint(target.app.db, 'users', 'ads', 'knex_migrations');
  for (const how of ['--yes --replace', '--dry-run --replace']) {
    const { code, stderr } = await onTarget(`backup restore ${newer} ${how}`);
    expect([code, stderr]).toEqual([EXIT.schema, expect.stringContaining('The backup is of a newer release')]);
    expect(stderr).toContain(`${FUTURE}. Restore it with that release or a later one.`);
  }
  expect(await fingerprint(target.app.db, 'users', 'ads', 'knex_migrations')).toBe(before);
});
