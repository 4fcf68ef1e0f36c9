import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import * as api from '../../../contract/imports.ts';
import { LIMITS, RATE_LIMITS } from '../../../contract/limits.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import type { Answer, Client } from '../../../test/harness/client.ts';
import { insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { runImport } from './run.ts';

const { app, url, createPerson, signIn } = await openTestApp();
const { db } = app;
beforeAll(() => insertCategories(app));

const HEAD = 'id,title,description,price,category';
const toCsv = (...rows: string[]) => [HEAD, ...rows].join('\n');
const many = (count: number) =>
  toCsv(...Array.from({ length: count }, (_, i) => `${i},Chair ${i},A chair of oak number ${i},10,furniture`));
const toBody = (text: string) => Buffer.from(text);

const preview = (client: Client, text: string, query: object = {}) =>
  client.ok(api.previewImport, { query: { fileName: 'ads.csv', ...query }, body: toBody(text) });
const refuse = async (client: Client, text: string, query: object = {}) => {
  const answer = await client.call(api.previewImport, {
    query: { fileName: 'ads.csv', ...query },
    body: toBody(text),
  });
  return [answer.status, answer.body.code, answer.body.fields?.file];
};

test('a table of other columns: asked about, remembered, previewed, imported, changed', async () => {
  const { id, client } = await createPerson();
  const head = 'Artikel;Worum es geht;Preis;Rubrik';
  const file = [head, 'Stuhl;Eiche;10,50;Möbel', 'Tisch;Kiefer;zwanzig;Möbel', ';Ohne Titel;1,00;Möbel'].join('\r\n');
  const asked = await preview(client, file);
  expect(asked).toMatchObject({
    file: { format: 'csv', isRemembered: false, decimal: null },
    import: null,
  });
  expect(asked.file.columns).toEqual([
    { heading: 'Artikel', first: 'Stuhl', meaning: '' },
    { heading: 'Worum es geht', first: 'Eiche', meaning: '' },
    { heading: 'Preis', first: '10,50', meaning: 'price' },
    { heading: 'Rubrik', first: 'Möbel', meaning: 'category' },
  ]);
  const columns = {
    Artikel: 'title',
    'Worum es geht': 'description',
    Preis: 'price',
    Rubrik: 'category',
  } as const;
  const choose = (body: api.ImportMapping) =>
    client.ok(api.rememberImportChoices, { params: { kind: asked.file.kind }, body });
  await choose({ columns, decimal: 'comma' });
  const unknown = await preview(client, file);
  expect(unknown.import).toMatchObject({
    counts: { new: 0, wrong: 3 },
    unknownCategories: [{ word: 'Möbel', count: 3 }],
  });
  await choose({ columns, decimal: 'comma', categories: { Möbel: 'furniture' } });
  const ready = await preview(client, file);
  expect(ready.file).toMatchObject({ isRemembered: true, decimal: 'comma', categories: { Möbel: 'furniture' } });
  expect(ready.import).toMatchObject({ state: 'ready', counts: { new: 1, changed: 0, same: 0, wrong: 2 }, wrong: 2 });
  const params = { id: ready.import!.id };
  const wrong = await client.ok(api.listImportRows, { params, query: { kind: 'wrong' } });
  expect(wrong.map(({ line, problems }) => [line, problems[0]!.column, problems[0]!.what])).toEqual([
    [3, 'Preis', '"zwanzig" is no number'],
    [4, 'Artikel', 'Title is required'],
  ]);
  expect(await client.ok(api.listImportMistakes, { params })).toMatchObject([
    { line: 3, title: 'Tisch', column: 'Preis', how: 'Write it as 1234.50.' },
    { line: 4, title: '', column: 'Artikel' },
  ]);
  expect(await db('ads').where({ user_id: id })).toEqual([]);
  expect(await client.call(api.startImport, { params, body: { allOrNothing: true } })).toMatchObject({ status: 409 });
  expect(await client.ok(api.startImport, { params, body: { asDrafts: true } })).toMatchObject({ state: 'running' });
  expect(await refuse(client, file)).toEqual([409, 'conflict', undefined]);
  expect(await client.call(api.deleteImport, { params })).toMatchObject({ status: 409 });
  await runImport(app, params.id);
  expect(await client.ok(api.getImport, { params })).toMatchObject({ state: 'done', rows: 3, done: 3, created: 1 });
  expect(await db('ads').where({ user_id: id })).toMatchObject([{ title: 'Stuhl', price: '10.50', state: 'paused' }]);

  const second = await preview(client, file.replace('10,50', '9,00'));
  // without an id an ad is known by its title
  expect(second.import).toMatchObject({ counts: { new: 0, changed: 1, wrong: 2 }, missing: 0 });
  expect(await client.ok(api.listImports)).toMatchObject([
    { id: second.import!.id, state: 'ready' },
    { id: params.id, state: 'done', created: 1, wrong: 2 },
  ]);
  // rows are kept for the newest
  expect(await client.ok(api.listImportRows, { params })).toEqual([]);
  await client.ok(api.deleteImport, { params });
  await client.ok(api.deleteImport, { params: { id: second.import!.id } });
  expect(await client.ok(api.listImports)).toEqual([]);
  expect(await db('ads').where({ user_id: id })).toHaveLength(1);
});

test('JSON of another program: its keys are read, the decimal sign and a category chosen', async () => {
  const { client } = await createPerson();
  const file = JSON.stringify([{ name: 'Stuhl', cost: '45,00', body: 'Eiche', category: 'Möbel' }]);
  const asked = await preview(client, file);
  expect(asked).toMatchObject({
    file: { format: 'tradepost', columns: null },
    import: { counts: { new: 0, wrong: 1 }, unknownCategories: [{ word: 'Möbel' }] },
  });
  const params = { kind: asked.file.kind };
  await client.ok(api.rememberImportChoices, {
    params,
    body: { decimal: 'comma', categories: { Möbel: 'furniture' } },
  });
  expect(await preview(client, file)).toMatchObject({ import: { counts: { new: 1, wrong: 0 } } });
});

test('a format may be insisted on, texts cut, and sources kept apart', async () => {
  const { client } = await createPerson();
  const long = toCsv(`1,${'x'.repeat(LIMITS.title + 1)},Oak,1,furniture`);
  expect((await preview(client, long)).import).toMatchObject({ counts: { wrong: 1 } });
  expect((await preview(client, long, { truncate: 'true', source: 'shop' })).import).toMatchObject({
    counts: { new: 1 },
    source: 'shop',
  });
  expect(await refuse(client, long, { format: 'google' })).toEqual([
    400,
    'validation_failed',
    'This is no file of the format google.',
  ]);
  const json = JSON.stringify([{ title: 'Lamp', description: 'Brass', price: '5', category: 'furniture' }]);
  expect(await preview(client, json)).toMatchObject({
    file: { format: 'tradepost', columns: null },
    import: { counts: { new: 1 } },
  });
});

test('a file that cannot be read changes nothing, and the preview of before stays unless rows were read', async () => {
  const { client } = await createPerson();
  const { import: before } = await preview(client, many(2));
  expect(await refuse(client, '')).toEqual([400, 'validation_failed', 'The file is empty.']);
  expect(await refuse(client, 'PK\u0003\u0004zip')).toEqual([400, 'validation_failed', expect.stringContaining('CSV')]);
  expect(await client.ok(api.listImports)).toMatchObject([{ id: before!.id, state: 'ready' }]);
  expect(await refuse(client, HEAD)).toEqual([400, 'validation_failed', 'The file has no ads.']);
  expect(await client.ok(api.listImports)).toEqual([]);
});

test('10,000 rows are taken, one more is not; the preview shows 1,000 of a kind', async () => {
  const { client } = await createPerson();
  const rows = (count: number) => toCsv(...Array.from({ length: count }, (_, i) => `${i},Chair ${i},,10,furniture`));
  const { import: full } = await preview(client, rows(LIMITS.importRows));
  expect(full).toMatchObject({ rows: LIMITS.importRows, wrong: LIMITS.importRows });
  const params = { id: full!.id };
  const positions: number[] = [];
  for (let cursor: string | undefined = '0'; cursor; ) {
    const page: Answer<api.ImportRow[]> = await client.call(api.listImportRows, {
      params,
      query: { kind: 'wrong', cursor, limit: '100' },
    });
    positions.push(...page.body.map(({ position }) => position));
    cursor = /[?&]cursor=(\d+)/.exec(page.headers.get('link') ?? '')?.[1];
  }
  expect(positions).toEqual(Array.from({ length: LIMITS.importShown }, (_, i) => i + 1));
  expect(await client.ok(api.listImportMistakes, { params })).toHaveLength(LIMITS.importRows);
  expect(await refuse(client, rows(LIMITS.importRows + 1))).toEqual([
    400,
    'validation_failed',
    'The file has more than 10,000 ads. Split it.',
  ]);
});

const target = `${url}${api.previewImport.path}?fileName=ads.csv`;
const open = (client: Client, headers: object = {}) =>
  request(target, {
    method: 'POST',
    headers: { ...client.headers, 'Content-Type': 'text/csv', ...headers },
  });
const answerOf = async (sent: ReturnType<typeof open>) => {
  const [res] = await once(sent, 'response');
  return { status: res.statusCode, body: JSON.parse(String(Buffer.concat(await res.toArray()))) };
};

test('50 MB are the most, declared or not', async () => {
  const { client } = await createPerson();
  const declared = open(client, { 'Content-Length': LIMITS.importBytes + 1 });
  declared.on('error', () => {});
  declared.write(HEAD);
  expect(await answerOf(declared)).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
  const sent = open(client);
  sent.on('error', () => {});
  const answer = answerOf(sent);
  // one ad that goes on
  sent.write(`${HEAD}\n`);
  const row = `1,Chair,Oak,10,${'x'.repeat(1000)}\n`.repeat(64);
  for (let size = 0; size < LIMITS.importBytes + 1_000_000 && !sent.destroyed; size += row.length)
    if (!sent.write(row)) await Promise.race([once(sent, 'drain'), answer]);
  sent.end();
  expect((await answer).status).toBeGreaterThanOrEqual(400);
  expect(await client.ok(api.listImports)).toEqual([]);
});

test('who still sends a file hears why it is refused', async () => {
  const { client } = await createPerson();
  const broken = `${'['.repeat(100)}${' '.repeat(20_000_000)}`;
  expect(await refuse(client, broken)).toEqual([
    400,
    'validation_failed',
    expect.stringContaining('The JSON is nested too deeply'),
  ]);
});

test('who is banned while the file arrives has no preview', async () => {
  const { id, client } = await createPerson();
  const sent = open(client);
  sent.write(`${HEAD}\n1,Chair,Oak,10,furniture\n`);
  const answer = answerOf(sent);
  for (let tries = 0; tries < 50 && !(await db('imports').where({ user_id: id }).first()); tries++) {
    sent.write(`${tries + 2},Chair ${'x'.repeat(5000)},Oak,10,furniture\n`);
    await sleep(20);
  }
  await db('users').where({ id: id }).update({ banned_at: db.fn.now() });
  await db('sessions').delete();
  sent.end();
  expect((await answer).status).toBeGreaterThanOrEqual(401);
  expect(await db('imports').where({ user_id: id })).toEqual([]);
});

test('only who may post ads imports them, and only their own', async () => {
  const without = await insertUser(app, { username: null });
  expect(await refuse(await signIn(without.id), many(1))).toEqual([403, 'forbidden', undefined]);
  const [owner, other] = [await createPerson(), await createPerson()];
  const { import: own } = await preview(owner.client, many(1));
  const params = { id: own!.id };
  for (const spec of [api.getImport, api.listImportRows, api.listImportMistakes, api.deleteImport])
    expect(await other.client.call(spec, { params })).toMatchObject({ status: 404 });
  expect(await other.client.call(api.startImport, { params, body: {} })).toMatchObject({ status: 404 });
});

test('a second file takes the place of one that is still read', async () => {
  const { id, client } = await createPerson();
  const sent = open(client);
  const answer = answerOf(sent);
  // more than the beginning that tells the format
  sent.write(`${HEAD}\n1,Chair,${'x'.repeat(70_000)},10,furniture\n`);
  for (let tries = 0; tries < 100 && !(await db('imports').where({ user_id: id }).first()); tries++) await sleep(20);
  expect(await client.ok(api.listImports)).toEqual([]);
  const { import: second } = await preview(client, many(1));
  sent.end();
  expect(await answer).toMatchObject({ status: 409, body: { code: 'conflict' } });
  expect(await client.ok(api.listImports)).toMatchObject([{ id: second!.id, state: 'ready', rows: 1 }]);
});

test('kinds of files and ended imports are remembered up to their limits', async () => {
  const { id, client } = await createPerson();
  const kindOf = (i: number) => i.toString(16).padStart(32, '0');
  for (let i = 0; i < LIMITS.importChoices + 2; i++)
    await client.ok(api.rememberImportChoices, { params: { kind: kindOf(i) }, body: { decimal: 'comma' } });
  const kinds = await db('import_choices').where({ user_id: id }).orderBy('kind').pluck('kind');
  expect([kinds.length, kinds[0]]).toEqual([LIMITS.importChoices, kindOf(2)]);
  for (let i = 0; i < LIMITS.imports + 2; i++) {
    const { import: made } = await preview(client, many(1));
    await db('imports').where({ id: made!.id }).update({ state: 'done' });
  }
  expect(await client.ok(api.listImports)).toHaveLength(LIMITS.imports);
  expect(await db('import_rows').whereIn('import_id', db('imports').where({ user_id: id }).select('id'))).toEqual([
    expect.objectContaining({ kind: 'new' }),
  ]);
});

test('files are limited by the hour', async () => {
  const limited = await openTestApp({ env: { RATE_LIMIT_SCALE: '1' } });
  const { client } = await limited.createPerson();
  const statuses: number[] = [];
  for (let i = 0; i <= RATE_LIMITS.importFile.points; i++)
    statuses.push((await client.call(api.previewImport, { query: { fileName: 'a' }, body: toBody('') })).status);
  expect(statuses).toEqual([...Array(RATE_LIMITS.importFile.points).fill(400), 429]);
});
