import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fingerprint, openCliDatabase } from '../../test/harness/cli.ts';
import { insertUser } from '../../test/harness/factories.ts';
import { EXIT } from '../framework/errors.ts';

const { db, run } = await openCliDatabase();
await run('seed categories');
const dir = mkdtempSync(join(tmpdir(), 'import-site-'));
const secret = mkdtempSync(join(tmpdir(), 'import-secret-'));
afterAll(() => [dir, secret].map((folder) => rmSync(folder, { recursive: true })));

const fixture = (name: string) => new URL(`../../server/features/imports/fixtures/${name}`, import.meta.url).pathname;
const OSCLASS = fixture('osclass-dump/dump.sql');
const YCLAS = fixture('yclas-dump/dump.sql');
const uploads = join(dir, 'oc-content/uploads/0');
const day = join(dir, 'images/2024/05/02/1');

const draw = (path: string, background: string) =>
  sharp({ create: { width: 40, height: 30, channels: 3, background } })
    .jpeg()
    .toFile(path);

const AUSTIN = { name: 'Austin', region: 'Texas', country: 'US', lat: 30.26715, lng: -97.74306, population: 964_177 };

beforeAll(async () => {
  await db('places').insert([
    { id: '4671654', ...AUSTIN },
    { id: '4671655', ...AUSTIN, name: 'Austintown', lat: 30.27, lng: -97.74 },
    { id: '5016024', ...AUSTIN, region: 'Minnesota', lat: 43.66663, lng: -92.97464 },
  ]);
  mkdirSync(uploads, { recursive: true });
  mkdirSync(day, { recursive: true });
  await draw(join(uploads, '11.jpg'), 'red');
  await draw(join(secret, '15.jpg'), 'blue');
  symlinkSync(join(secret, '15.jpg'), join(uploads, '13.jpg'));
  await draw(join(day, 'camping-tent_1.jpg'), 'green');
  writeFileSync(join(day, 'camping-tent_2.jpg'), 'no picture');
});

const write = (name: string, text: string | Buffer): string => {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
};
const listAds = (user: { id: string }) =>
  db('ads as a')
    .join('categories as c', 'c.id', 'a.category_id')
    .where({ user_id: user.id })
    .orderBy('a.id')
    .select('title', 'description', 'price', 'price_type', 'location', 'c.slug as category', 'state', 'place_id');
const countImages = async (user: { id: string }) =>
  (await db('ad_images').whereIn('ad_id', db('ads').where({ user_id: user.id }).select('id'))).length;

const mapOsclass = (sellers: Record<string, string>, file = 'map.json'): string => {
  const as = Object.fromEntries(Object.entries(sellers).map(([owner, handle]) => [owner, { as: handle }]));
  const categories = { 'For sale > Gadgets & "more"': 'electronics' };
  return write(file, JSON.stringify({ categories, sellers: as }));
};

test('a whole Osclass arrives: suggested, previewed, imported, and the same the second time', async () => {
  const ann = await insertUser({ db }, { username: 'ann' });
  const bob = await insertUser({ db }, { username: 'bob' });
  const suggested = join(dir, 'suggested.json');
  const suggesting = await run(`import osclass ${OSCLASS} --suggest ${suggested}`);
  expect([suggesting.code, suggesting.stderr]).toEqual([EXIT.ok, expect.stringContaining('2 categories, 1 to choose')]);
  expect(JSON.parse(readFileSync(suggested, 'utf8'))).toEqual({
    language: 'en_US',
    categories: { 'For sale > Furniture': 'furniture', 'For sale > Gadgets & "more"': '' },
    sellers: {
      '#1': { name: 'Seller One', email: 'seller.one@example.com', ads: 3, as: '' },
      '#2': { name: "Seller O'Two", email: 'seller.two@example.com', ads: 2, as: '' },
      'guest@example.com': { name: '', email: 'guest@example.com', ads: 1, as: '' },
    },
  });
  expect((await run(`import osclass ${OSCLASS} --suggest ${suggested}`)).code).toBe(EXIT.conflict);

  const args = `import osclass ${OSCLASS} --media ${dir} --map ${mapOsclass({ '#1': '@ann', '#2': bob.id })}`;
  const counts = { new: 3, changed: 0, same: 0, wrong: 2, leftOut: 5, unmapped: 1 };
  const dry = await run(`${args} --dry-run -o json`);
  expect(dry.json()).toEqual({ ...counts, created: 3, updated: 0, paused: 0, refused: 0, photos: 0, photosWaiting: 3 });
  expect(await listAds(ann)).toEqual([]);
  expect((await run(args)).code).toBe(EXIT.notConfirmed);

  const errors = join(dir, 'wrong.csv');
  const first = await run(`${args} --errors ${errors} --yes --reason move -o json`);
  expect([first.code, first.json()]).toEqual([
    EXIT.ok,
    { ...counts, created: 3, updated: 0, paused: 0, refused: 0, photos: 1, photosWaiting: 2 },
  ]);
  for (const line of [
    'Language: en_US. Ads without a text in it come in another: es_ES.',
    'Ad 3, price: The price is missing. Every ad has one here.',
    'Ad 5, currency: The price is in EUR, and this marketplace is in USD.',
    'Left out: 1 spam, 1 expired, 2 blocked, 1 unconfirmed, 1 of 1 person without an account here.',
    'Photos: 1 found, 2 not, such as oc-content/uploads/0/12.png: not in the folder.',
    '3 new ads, 0 changed, 0 the same, 2 wrong; of 2 sellers.',
    'Ad 1, photo oc-content/uploads/0/12.png: not in the folder.',
    'Ad 2, photo oc-content/uploads/0/13.jpg: a link that leads out of the folder.',
  ])
    expect(first.stderr).toContain(line);
  expect(JSON.parse(readFileSync(errors, 'utf8').replace('\uFEFF', ''))).toMatchObject([{ id: '3' }, { id: '5' }]);
  expect(await listAds(ann)).toEqual([
    {
      title: 'Oak table',
      description: 'Solid oak.\nSeats six; it\'s "heavy".',
      price: '249.00',
      price_type: 'fixed',
      location: 'Austin, Texas',
      category: 'furniture',
      state: 'active',
      place_id: '4671654',
    },
    expect.objectContaining({
      title: 'Stool',
      place_id: null,
      description: 'Height: 45 cm\nColour: red',
      price: '12.50',
    }),
  ]);
  expect(await listAds(bob)).toMatchObject([
    { title: 'Sillas gratis', price: '0.00', price_type: 'free', location: null },
  ]);
  expect(await countImages(ann)).toBe(1);
  expect(await db('audit_log').where({ action: 'ads.import', target_id: ann.id })).toMatchObject([
    { details: { new: 2, source: 'osclass-site', reason: 'move' } },
  ]);

  // the operator finds the picture: the ads are the same, and it comes
  await draw(join(uploads, '12.png'), 'yellow');
  const second = await run(`${args} --yes -o json`);
  expect(second.json()).toMatchObject({
    new: 0,
    changed: 0,
    same: 3,
    created: 0,
    updated: 0,
    photos: 1,
    photosWaiting: 1,
  });
  expect(await countImages(ann)).toBe(2);
});

test('only what changed is changed, what is gone is paused, and a guest is whom the map names', async () => {
  const eve = await insertUser({ db }, { username: 'eve' });
  const map = mapOsclass({ '#1': '@eve', 'guest@example.com': '@eve' }, 'eve.json');
  const first = await run(`import osclass ${OSCLASS} --map ${map} --yes -o json`);
  expect(first.json()).toMatchObject({ new: 3, created: 3, photosWaiting: 4 });
  expect(await listAds(eve)).toMatchObject([
    {},
    {},
    { title: 'Phone 📱', description: String.raw`C:\\temp\\ and 100% new_`, category: 'electronics' },
  ]);
  const dump = readFileSync(OSCLASS, 'latin1');
  const text = dump
    .replace("'Stool'", "'Small stool'")
    .replace("(9,NULL,4,'2024-02-08 10:00:00',NULL,NULL,", "(9,NULL,4,'2024-02-08 10:00:00',NULL,NULL,99");
  const spam = text.replace(/^\(1,1,2,(.*),0,'s1'/m, "(1,1,2,$1,1,'s1'");
  const changed = write('changed.sql.gz', gzipSync(Buffer.from(spam, 'latin1')));
  const second = await run(`import osclass ${changed} --map ${map} --pause-missing --yes -o json`);
  expect(second.json()).toMatchObject({ changed: 2, same: 0, updated: 2, paused: 1, created: 0 });
  expect(await listAds(eve)).toMatchObject([
    { title: 'Oak table', state: 'paused' },
    { title: 'Small stool' },
    { title: 'Phone 📱', price: '997.50' },
  ]);
});

test('an import that was interrupted goes on, and nobody is imported twice', async () => {
  const zoe = await insertUser({ db }, { username: 'zoe' });
  const stopped = new AbortController();
  stopped.abort(new Error('killed'));
  const args = `import osclass ${OSCLASS} --media ${dir} --as @zoe --yes -o json`;
  const killed = await run(args, { signal: stopped.signal });
  expect(killed.code).not.toBe(EXIT.ok);
  expect(await db('imports').where({ user_id: zoe.id }).first()).toMatchObject({ state: 'running' });
  const again = await run(args);
  expect([again.code, again.json()]).toMatchObject([EXIT.ok, { new: 0, same: 3, photos: 2 }]);
  expect(again.stderr).toContain(
    'An earlier run was interrupted, and has ended now: 3 new ads, 0 changed; of 1 seller.',
  );
  expect(await listAds(zoe)).toHaveLength(3);
  expect(await countImages(zoe)).toBe(2);
});

test('a whole Yclas arrives', async () => {
  const kim = await insertUser({ db }, { username: 'kim' });
  const lee = await insertUser({ db }, { username: 'lee' });
  const suggested = join(dir, 'yclas.json');
  await run(`import yclas ${YCLAS} --suggest ${suggested}`);
  const mapping = JSON.parse(readFileSync(suggested, 'utf8'));
  expect(mapping).toMatchObject({
    categories: { Furniture: 'furniture', Sports: 'sports', 'Sports > Bicycles': 'sports' },
    sellers: { '#1': { name: 'Seller One', ads: 2 }, '#2': { ads: 1 } },
  });
  mapping.sellers['#1'].as = '@kim';
  mapping.sellers['#2'].as = '@lee';
  const map = write('yclas-filled.json', JSON.stringify(mapping));
  const first = await run(`import yclas ${YCLAS} --media ${dir} --map ${map} --yes -o json`);
  expect([first.code, first.json()]).toMatchObject([
    EXIT.ok,
    { new: 3, wrong: 0, leftOut: 6, created: 3, photos: 1, photosWaiting: 2 },
  ]);
  expect(first.stderr).toContain('Left out: 1 sold, 1 unpublished, 1 expired, 1 spam, 1 unconfirmed, 1 blocked.');
  expect(first.stderr).toContain('camping-tent_2.jpg: not a photo that can be read');
  expect(await listAds(kim)).toMatchObject([
    {
      title: 'Camping tent',
      description: 'Four people, used twice.\nSee here (https://shop.example/t).',
      price: '80.00',
      location: 'Madrid, Spain',
      state: 'active',
    },
    { title: 'Free chair', price_type: 'free', location: 'Spain', state: 'paused' },
  ]);
  expect(await listAds(lee)).toMatchObject([{ title: 'Bicicleta de montaña', price: '120.50', location: null }]);
  expect((await run(`import yclas ${YCLAS} --map ${map} -o json`)).json()).toMatchObject({ same: 3, created: 0 });
});

test('each of many ads arrives once', async () => {
  const sam = await insertUser({ db }, { username: 'sam' });
  const ids = Array.from({ length: 450 }, (_, at) => at + 1);
  const rows = (table: string, columns: string[], toRow: (id: number) => string) =>
    `CREATE TABLE oc_${table} (${columns.map((column) => `${column} text`).join(', ')});\n` +
    `INSERT INTO oc_${table} VALUES ${ids.map(toRow).join(',')};\n`;
  const stdin = [
    rows('t_item', ['pk_i_id', 'fk_i_user_id', 'i_price', 'fk_i_category_id'], (id) => `(${id},1,1000000,1)`),
    rows('t_item_description', ['fk_i_item_id', 's_title', 's_description'], (id) => `(${id},'Thing ${id}','Old')`),
    'CREATE TABLE oc_t_category_description (fk_i_category_id int, s_name text);CREATE TABLE oc_t_category (pk_i_id int);',
    "INSERT INTO oc_t_category VALUES (1);INSERT INTO oc_t_category_description VALUES (1,'Furniture');",
  ].join('\n');
  const { json } = await run('import osclass - --as @sam --yes -o json', { stdin });
  expect(json()).toMatchObject({ new: 450, wrong: 0, created: 450 });
  expect(new Set((await listAds(sam)).map(({ title }) => title)).size).toBe(450);
});

test('a banned seller stops no other', async () => {
  await insertUser({ db }, { username: 'mia' });
  await insertUser({ db }, { username: 'ned', banned_at: '2026-01-01T00:00:00Z' });
  const map = mapOsclass({ '#1': '@ned', '#2': '@mia' }, 'banned.json');
  const { stderr, json } = await run(`import osclass ${OSCLASS} --map ${map} --yes -o json`);
  expect(stderr).toContain('Left out: all ads of @ned.');
  expect(json()).toMatchObject({ new: 1, created: 1 });
});

test('two sites in a dump, other prefixes and a dump of something else', async () => {
  await insertUser({ db }, { username: 'pat' });
  const dump = readFileSync(OSCLASS, 'latin1');
  const other = dump.replaceAll('`oc_t_', '`old_t_');
  const both = write('both.sql', Buffer.from(dump + other, 'latin1'));
  const asked = await run(`import osclass ${both} --as @pat --dry-run`);
  expect([asked.code, asked.stderr]).toEqual([EXIT.usage, expect.stringContaining('--prefix: oc_, old_')]);
  const chosen = await run(`import osclass ${both} --as @pat --prefix old_ --language es_ES --dry-run -o json`);
  expect(chosen.json()).toMatchObject({ new: 3, wrong: 3 });
  expect(chosen.stderr).toContain('Language: es_ES');
  const wrong = await run(`import osclass ${YCLAS} --as @pat --yes`);
  expect([wrong.code, wrong.stderr]).toEqual([EXIT.usage, expect.stringContaining('no dump of Osclass')]);
});

test.each([
  ['{dump}', 'It is not known who gets these ads.', EXIT.usage],
  ['{dump} --as @nobody', 'There is no user @nobody.', EXIT.notFound],
  ['{dump} --as @ann --media /nowhere', '--media /nowhere cannot be read: ENOENT', EXIT.notFound],
  ['{dump} --as @ann --language xx_XX', 'No ad is in xx_XX. There are: en_US, es_ES.', EXIT.usage],
  ['{dump} --as @ann --map {dump}', 'is no JSON', EXIT.usage],
  ['{dump} --as @ann --all-or-nothing', '3 of the ads are wrong. Nothing was imported.', EXIT.conflict],
  ['{cut} --as @ann', 'The dump ends in the middle of a statement that begins here: it is cut.', EXIT.usage],
  ['{packed} --as @ann', 'The archive is damaged, or cut.', EXIT.usage],
  ['- --as @ann', 'The file is empty.', EXIT.usage],
])('import osclass %s says "%s"', async (options, message, code) => {
  const dump = readFileSync(OSCLASS);
  const line = options
    .replaceAll('{dump}', OSCLASS)
    .replace('{cut}', write('cut.sql', dump.subarray(0, dump.indexOf("'Stool'"))))
    .replace('{packed}', write('packed.sql.gz', gzipSync(dump).subarray(0, 500)));
  const before = await fingerprint(db, 'ads', 'imported_ads');
  const ended = await run(`import osclass ${line} --yes`);
  expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(message)]);
  expect(await fingerprint(db, 'ads', 'imported_ads')).toBe(before);
});

test('a folder below that of the site is a folder of pictures, too', async () => {
  await insertUser({ db }, { username: 'ray' });
  const pictures = join(dir, 'pictures');
  cpSync(uploads, pictures, { recursive: true });
  const { stderr } = await run(`import osclass ${OSCLASS} --media ${pictures} --as @ray --dry-run`);
  expect(stderr).toContain('Photos: 2 found, 2 not');
});
