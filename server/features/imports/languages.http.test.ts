import { beforeAll, expect, test } from 'vitest';
import * as api from '../../../contract/imports.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import type { Client } from '../../../test/harness/client.ts';
import { insertCategories } from '../../../test/harness/factories.ts';
import { listRows } from './repository.ts';
import { runImport } from './run.ts';

const { app, createPerson } = await openTestApp({ env: { LOCALES: 'en,de,ar' } });
const { db } = app;
beforeAll(() => insertCategories(app));

const GERMAN = { 'Accept-Language': 'de' };
const ARABIC = { 'Accept-Language': 'ar' };

const HEAD = 'id,title,description,price,category,images';
const FILE = [
  HEAD,
  '1,Chair,Oak,zehn,furniture,',
  '2,,Pine,1.005,furniture,',
  '3,Lamp,Brass,5,lights,',
  '4,Table,Oak,9,furniture,ftp://x.example/1.jpg',
  '4,Bed,Oak,99,furniture,',
].join('\n');

const preview = (client: Client, text: string) =>
  client.call(api.previewImport, { query: { fileName: 'ads.csv' }, body: Buffer.from(text), headers: GERMAN });

const listProblems = async (client: Client, id: string, headers: Record<string, string>) => {
  const rows = await client.ok(api.listImportRows, { params: { id }, query: { kind: 'wrong' }, headers });
  return rows.flatMap(({ problems }) => problems.map(({ what, how }) => `${what} | ${how}`));
};

test('what is wrong with rows is said in the language of whoever reads it', async () => {
  const { client } = await createPerson();
  const { id } = (await preview(client, FILE)).body.import!;
  const german = await listProblems(client, id, GERMAN);
  expect(german).toEqual([
    '„zehn“ ist keine Zahl | Schreibe ihn wie 1234.50.',
    expect.stringMatching(/ \| Jede Anzeige braucht das\.$/),
    expect.stringMatching(/25, 9,50 .* 1\.250.* 99\.999\.999,99 .* \| Berichtige es/),
    '„lights“ ist hier keine Kategorie | Wähle eine Kategorie dafür.',
    'Zeile 5 hat dieselbe ID | Lass eine davon weg oder gib ihr eine andere ID.',
  ]);
  expect((await listProblems(client, id, {}))[0]).toBe('"zehn" is no number | Write it as 1234.50.');
  expect((await listProblems(client, id, ARABIC))[0]).toMatch(/ليس رقمًا/);
  const mistakes = await client.ok(api.listImportMistakes, { params: { id }, headers: GERMAN });
  expect(mistakes.map(({ what, how }) => `${what} | ${how}`)).toEqual(german);
  const [row] = await client.ok(api.listImportRows, { params: { id }, query: { kind: 'new' }, headers: GERMAN });
  expect(row!.notes).toEqual(['ftp://x.example/1.jpg: keine Internetadresse']);
  // what marketctl and the replicas of before read
  expect((await listRows(db, id, { kind: 'wrong', limit: 1 }))[0]!.problems[0]).toMatchObject({
    what: '"zehn" is no number',
    how: 'Write it as 1234.50.',
  });
});

test('rows of before keep their words, and a text that is gone is said as it was stored', async () => {
  const { client } = await createPerson();
  const { id } = (await preview(client, FILE)).body.import!;
  const old = { column: 'price', what: 'Old words', how: 'Old advice' };
  const gone = {
    ...old,
    what: 'Gone words',
    phrases: { what: { key: 'mistakes.gone' }, how: { key: 'mistakes.mend' } },
  };
  await db('import_rows')
    .where({ import_id: id, position: 1 })
    .update({ problems: JSON.stringify([old, gone]) as never });
  await db('import_rows')
    .where({ import_id: id, position: 4 })
    .update({ notes: JSON.stringify(['Old note']) as never, note_phrases: null as never });
  expect((await listProblems(client, id, GERMAN)).slice(0, 2)).toEqual([
    'Old words | Old advice',
    'Gone words | Berichtige sie und importiere die Datei noch einmal.',
  ]);
  const [row] = await client.ok(api.listImportRows, { params: { id }, query: { kind: 'new' }, headers: GERMAN });
  expect(row!.notes).toEqual(['Old note']);
});

test('why a file cannot be read, an import stops, and a photo is not there is said in the language', async () => {
  const { client } = await createPerson();
  expect((await preview(client, '{"title":}')).body).toMatchObject({
    code: 'validation_failed',
    message: 'Zeile 1: Das JSON ist nicht wohlgeformt.',
    fields: { file: 'Zeile 1: Das JSON ist nicht wohlgeformt.' },
  });
  const file = [HEAD, '1,Chair,Oak,10,furniture,https://10.0.0.1/a.jpg'].join('\n');
  const { id } = (await preview(client, file)).body.import!;
  await client.ok(api.startImport, { params: { id }, body: { allOrNothing: true } });
  await db('import_rows')
    .where({ import_id: id })
    .update({ content: db.raw(`content || '{"category": "nowhere"}'`) });
  await runImport(app, id);
  const read = async (headers: Record<string, string>) =>
    (await client.ok(api.getImport, { params: { id }, headers })).error;
  expect(await read(GERMAN)).toMatch(/^Zeile 2: .*Kategorie\. Es wurde nichts importiert\.$/);
  expect(await read({})).toBe('Line 2: Unknown category. Nothing was imported.');
});
