import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openCliDatabase } from '../../test/harness/cli.ts';
import { insertUser } from '../../test/harness/factories.ts';
import { EXIT } from '../framework/errors.ts';

const { db, run } = await openCliDatabase();
await run('seed categories');
const dir = mkdtempSync(join(tmpdir(), 'import-'));
afterAll(() => rmSync(dir, { recursive: true }));
const write = (name: string, text: string): string => {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
};
const fixture = (name: string) => new URL(`../../server/features/imports/fixtures/${name}`, import.meta.url).pathname;
const listAds = (user: { id: string }) => db('ads').where({ user_id: user.id }).orderBy('id');

test('a file comes in as a seller, twice, and the audit log says so', async () => {
  const ann = await insertUser({ db }, { username: 'ann' });
  const path = fixture('csv/plain.csv');
  const dry = await run(`import ads ${path} --as @ann --dry-run -o json`);
  expect(dry.json()).toMatchObject({ new: 4, wrong: 0, created: 4 });
  expect(await listAds(ann)).toEqual([]);
  expect((await run(`import ads ${path} --as @ann`)).code).toBe(EXIT.notConfirmed);
  const first = await run(`import ads ${path} --as @ann --yes --reason moving -o json`);
  expect([first.code, first.json()]).toMatchObject([EXIT.ok, { new: 4, created: 4, photosWaiting: 1 }]);
  expect(first.stderr).toContain('4 new ads, 0 changed, 0 the same, 0 wrong.');
  expect((await listAds(ann)).map(({ price_type }) => price_type)).toEqual(['fixed', 'negotiable', 'free', 'wanted']);
  const entry = await db('audit_log').where({ action: 'ads.import' }).first();
  expect(entry).toMatchObject({ target_id: ann.id, details: { new: 4, source: 'csv', reason: 'moving' } });
  const second = await run(`import ads ${path} --as @ann -o json`);
  expect([second.code, second.json()]).toMatchObject([EXIT.ok, { same: 4, created: 0 }]);
});

test('a table without a title says how to name its columns', async () => {
  await insertUser({ db }, { username: 'una' });
  const path = write('odd.csv', 'Bez,Txt\nStuhl,Eiche\n');
  const { code, stderr } = await run(`import ads ${path} --as @una --dry-run`);
  expect([code, stderr]).toEqual([EXIT.usage, expect.stringContaining('--map FILE, as in {"columns"')]);
});

test('what is wrong is named, all of it in a file, and may stop the rest', async () => {
  const bob = await insertUser({ db }, { username: 'bob' });
  const path = fixture('csv/errors.csv');
  const stopped = await run(`import ads ${path} --as bob --all-or-nothing --yes`);
  expect([stopped.code, stopped.stderr]).toEqual([EXIT.conflict, expect.stringContaining('Nothing was imported')]);
  const errors = join(dir, 'wrong.csv');
  const { stdout, stderr } = await run(`import ads ${path} --as bob --errors ${errors} --yes`);
  expect(stdout).toMatch(/^created +2$/m);
  expect(stderr).toContain('Line 3, title: Title is required. Every ad needs one.\n');
  const [head, ...rows] = readFileSync(errors, 'utf8').trimEnd().split('\r\n');
  expect([head, rows.length]).toEqual(['\uFEFFline,column,what,how,id,title', 6]);
  expect(await listAds(bob)).toHaveLength(2);
});

test('a damaged byte and a quotation mark too many are mistakes of their rows alone', async () => {
  const amy = await insertUser({ db }, { username: 'amy' });
  const rows = [
    '1,Tür,Eiche,10,furniture',
    '2,St?hl,Eiche,10,furniture',
    '3,"Tisch,Eiche,10,furniture',
    '4,Bank,"Eiche, alt",10,furniture',
  ];
  const bytes = Buffer.from(`id,title,description,price,category\n${rows.join('\n')}\n`);
  const path = join(dir, 'damaged.csv');
  writeFileSync(
    path,
    bytes.map((byte) => (byte === 63 ? 0xfc : byte)),
  );
  const errors = join(dir, 'damaged-errors.csv');
  const { code, stderr } = await run(`import ads ${path} --as amy --errors ${errors} --yes`);
  expect([code, stderr]).toEqual([EXIT.ok, expect.stringContaining('2 new ads, 0 changed, 0 the same, 2 wrong')]);
  expect(readFileSync(errors, 'utf8').split('\r\n').slice(1, 3)).toEqual([
    expect.stringMatching(/^3,title,There are bytes that are no characters of UTF-8,/),
    expect.stringMatching(/^4,title,"A quotation mark is missing, or one is too many",/),
  ]);
  expect((await listAds(amy)).map(({ title }) => title)).toEqual(['Tür', 'Bank']);
});

test('a table of other columns is mapped, comes from a pipe, and may be drafts', async () => {
  const eve = await insertUser({ db }, { username: 'eve' });
  const map = write('map.json', '{"categories": {"Furniture": "furniture"}, "decimal": "comma"}');
  const text = readFileSync(fixture('csv/german-headings.csv'), 'utf8');
  const args = `import ads - --as @eve --map ${map} --draft --yes -o json`;
  expect((await run(args, { stdin: text })).json()).toMatchObject({ created: 2, wrong: 1, photosWaiting: 1 });
  expect(await listAds(eve)).toMatchObject([
    { title: 'Bücherregal', price: '45.00', state: 'paused' },
    { title: 'Gitarre', price: '1120.00', state: 'paused' },
  ]);
  // the last of a feed takes the others along, if that is asked for
  const rest = text.split('\r\n').slice(0, 2).join('\r\n');
  await db('ads').where({ user_id: eve.id }).update({ is_paused: false });
  const paused = await run(`import ads - --as @eve --map ${map} --pause-missing --yes -o json`, { stdin: rest });
  expect(paused.json()).toMatchObject({ same: 1, paused: 1 });
});

test.each([
  ['nowhere.csv', '', EXIT.notFound, 'nowhere.csv cannot be read: ENOENT'],
  ['-', '', EXIT.usage, 'The file is empty'],
  ['-', '--map {dir}/bad.json', EXIT.usage, 'bad.json is no JSON'],
  ['-', '--map {dir}/wrong.json', EXIT.usage, 'columns.Titel: Unknown field'],
  ['-', '--format fax', EXIT.usage, 'Allowed choices are'],
])('import ads %s %s ends with %i', async (file, options, code, message) => {
  write('bad.json', '{');
  write('wrong.json', '{"columns": {"Titel": "nose"}}');
  const ended = await run(`import ads ${file} --as @ann ${options.replace('{dir}', dir)} --yes`);
  expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(message)]);
  expect((await run('import ads - --as @nobody --yes', { stdin: 'a' })).code).toBe(EXIT.notFound);
});

test('what a file means is remembered for the next of its kind, and not by a try', async () => {
  const mia = await insertUser({ db }, { username: 'mia' });
  const map = write('mia.json', '{"categories": {"Furniture": "furniture"}, "decimal": "comma"}');
  const path = fixture('csv/german-headings.csv');
  const read = async (options: string) =>
    (await run(`import ads ${path} --as @mia --dry-run ${options} -o json`)).json();
  const guessed = await read('');
  expect(await read(`--map ${map}`)).toMatchObject({ new: 2, wrong: 1 });
  expect(await read('')).toEqual(guessed);
  await run(`import ads ${path} --as @mia --map ${map} --yes`);
  expect(await read('')).toMatchObject({ same: 2, wrong: 1 });
  // what is said once more counts
  expect(await read('--decimal point')).toMatchObject({ same: 0, wrong: 3 });
  expect(await db('import_choices').where({ user_id: mia.id })).toHaveLength(1);
});

test('photos that ads lack are listed with their row, those that failed first', async () => {
  const kim = await insertUser({ db }, { username: 'kim' });
  expect((await run('import photos --as @kim -o json')).json()).toEqual([]);
  const url = 'https://photos.example/1.jpg';
  const rows = ['7,Chair,Oak,10,furniture,https://photos.example/1.jpg', '8,Lamp,Brass,20,furniture,lamp.jpg'];
  const path = write('photos.csv', ['id,title,description,price,category,images', ...rows].join('\n'));
  const { stderr } = await run(`import ads ${path} --as @kim --yes`);
  expect(stderr).toContain('Which failed: marketctl import photos --as @kim\n');
  const [chair] = await listAds(kim);
  await db('imported_photos').where({ ad_id: chair.id, url }).update({ failure: 'the server answers 404' });
  const { code, json } = await run('import photos --as @kim -o json');
  expect([code, json()]).toEqual([
    EXIT.ok,
    [
      { line: 2, id: '7', title: 'Chair', photo: url, why: 'the server answers 404' },
      { line: 3, id: '8', title: 'Lamp', photo: '', why: 'lamp.jpg: no address of the web' },
    ],
  ]);
});
