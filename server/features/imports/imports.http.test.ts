import { beforeAll, expect, test } from 'vitest';
import { updateSettings } from '../../../contract/admin.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { createImporter, manyAds, RUN_OPTIONS, toAdsCsv } from '../../../test/harness/importing.ts';
import type { UserRow } from '../../db/rows.ts';
import { inTransaction } from '../../db/transaction.ts';
import { cleanUp, jobHandlers } from '../../job-handlers.ts';
import { setAdPaused } from '../ads/own-ads.ts';
import { handlePublications } from '../ads/publications.ts';
import { lexiconOf } from '../ads/search/lexicon.ts';
import { indexAds } from '../ads/search/terms-repository.ts';
import { announceAds } from '../follows/announcements.ts';
import { DEFAULT_SETTINGS } from '../settings/repository.ts';
import { listRows } from './repository.ts';
import { runImport } from './run.ts';
import { readImport, startImport } from './service.ts';

const { app, createPerson } = await openTestApp();
const { db } = app;
beforeAll(() => insertCategories(app));

const createSeller = (columns?: Partial<UserRow>) => createImporter(app, columns);

test('a preview says what is new and wrong, and changes no ad', async () => {
  const seller = await createSeller();
  const file = toAdsCsv(
    '1,Chair,Oak,10,furniture,,',
    '2,,Oak,10,furniture,,',
    '3,Rocket,Fast,10,Spaceships,,',
    '1,Again,x,1,toys,,',
  );
  const { id, counts, rows, unknownCategories } = await seller.preview(file);
  expect([rows, counts, unknownCategories]).toEqual([
    4,
    { new: 1, changed: 0, same: 0, wrong: 3 },
    [{ word: 'Spaceships', count: 1 }],
  ]);
  const wrong = await listRows(db, id, { kind: 'wrong', limit: 10 });
  expect(wrong.map(({ line, problems }) => [line, problems[0]!.what])).toEqual([
    [3, 'Title is required'],
    [4, '"Spaceships" is no category here'],
    [5, 'Line 2 has the same id'],
  ]);
  expect(await seller.listAds()).toEqual([]);
  const chosen = await seller.preview(file, { categories: { Spaceships: 'toys' } });
  expect(chosen.counts).toMatchObject({ new: 2, wrong: 2 });
  expect(await db('imports').where({ user_id: seller.id })).toHaveLength(1);
});

test('what is right comes in; a second file changes what changed, and pauses what is gone only if asked', async () => {
  const seller = await createSeller();
  const first = await seller.run(
    toAdsCsv('1,Chair,Oak,10,furniture,,', '2,Lamp,Brass,20,furniture,,', '3,Desk,,1,furniture,,'),
  );
  expect(first).toMatchObject({ state: 'done', created: 2, updated: 0, counts: { wrong: 1 } });
  const [chair, lamp] = await seller.listAds();
  expect([chair, lamp]).toMatchObject([
    { title: 'Chair', price: '10.00', listed: true, has_photos: false },
    { title: 'Lamp', listed: true },
  ]);
  expect(await db('ad_terms').whereIn('ad_id', [chair.id, lamp.id])).toHaveLength(2);

  const again = await seller.run(toAdsCsv('1,Chair,Oak,10,furniture,,', '2,Lamp,Brass and glass,18,furniture,,'));
  expect(again).toMatchObject({ created: 0, updated: 1, counts: { same: 1, changed: 1 } });
  expect(await seller.listAds()).toMatchObject([
    { id: chair.id, updated_at: chair.updated_at },
    { id: lamp.id, description: 'Brass and glass', price: '18.00' },
  ]);

  const rest = toAdsCsv('2,Lamp,Brass and glass,18,furniture,,');
  expect(await seller.run(rest)).toMatchObject({ paused: 0 });
  const { missing } = await seller.preview(rest);
  expect(missing).toBe(1);
  expect(await seller.run(rest, { pauseMissing: true })).toMatchObject({ paused: 1, counts: { same: 1 } });
  expect(await seller.listAds()).toMatchObject([{ state: 'paused' }, { state: 'active' }]);

  // other sources are other ads
  const other = await seller.run(rest, { pauseMissing: true }, { source: 'old shop' });
  expect(other).toMatchObject({ created: 1, paused: 0 });
});

test('what was gone comes back as it was, unless its seller paused it by hand', async () => {
  const seller = await createSeller();
  const gone = { pauseMissing: true };
  const stateOf = async () => (await seller.listAds()).map(({ state }) => state);
  await seller.run(manyAds(3));
  await seller.run(manyAds(1), gone);
  expect(await stateOf()).toEqual(['active', 'paused', 'paused']);
  const [, second] = await seller.listAds();
  await setAdPaused(app, seller.actor, second.id, false);
  await setAdPaused(app, seller.actor, second.id, true);
  expect(await seller.run(manyAds(3))).toMatchObject({ updated: 1, counts: { changed: 1, same: 2 } });
  expect(await stateOf()).toEqual(['active', 'paused', 'active']);
  expect(await seller.run(manyAds(3))).toMatchObject({ counts: { changed: 0, same: 3 } });
  // it was gone once more, and its seller resumed it before the file did
  await seller.run(manyAds(2), gone);
  await setAdPaused(app, seller.actor, (await seller.listAds())[2].id, false);
  expect(await seller.run(manyAds(3))).toMatchObject({ counts: { changed: 0, same: 3 } });
});

test('a row that cannot be read stops no other, and may be any ad: nothing is missing then', async () => {
  const seller = await createSeller();
  const toJson = (id: number) => JSON.stringify({ id: `${id}`, title: `Chair ${id}`, description: 'Oak', price: '10' });
  const categories = { '': 'furniture' };
  await seller.run(`[${toJson(1)}, ${toJson(2)}]`, {}, { categories });
  const cut = `[${toJson(1)},\n{"id": "2", "title": },\n{"id": "3", "title": }]`;
  const { id, missing, counts } = await seller.preview(cut, { categories });
  expect([missing, counts]).toEqual([0, { new: 0, changed: 0, same: 1, wrong: 2 }]);
  const [, second] = await listRows(db, id, { kind: 'wrong', limit: 10 });
  const what = second!.problems.map((problem) => problem.what);
  expect([what[0], what.filter((text) => /same id/.test(text))]).toEqual(['The JSON is not well formed', []]);
  expect(await seller.run(cut, { pauseMissing: true }, { categories })).toMatchObject({ state: 'done', paused: 0 });
  expect(await seller.run(`[${toJson(1)}]`, { pauseMissing: true }, { categories })).toMatchObject({ paused: 1 });
});

test('a row of a table that is damaged is one mistake with its line, and may be any ad', async () => {
  const seller = await createSeller();
  await seller.run(manyAds(3));
  const damaged = manyAds(4).replace('Chair 1,', '"Chair 1,');
  const { id, missing, counts } = await seller.preview(damaged);
  expect([missing, counts]).toEqual([0, { new: 1, changed: 0, same: 2, wrong: 1 }]);
  expect(await listRows(db, id, { kind: 'wrong', limit: 10 })).toMatchObject([
    { line: 3, problems: [{ column: 'title', what: 'A quotation mark is missing, or one is too many' }] },
  ]);
  const whole = { allOrNothing: true };
  await expect(seller.run(damaged, whole)).rejects.toThrow('1 of the rows is wrong. Nothing was imported.');
  expect(await seller.run(damaged, { pauseMissing: true })).toMatchObject({ created: 1, paused: 0 });
});

test('two that are no ads, on the one line of a file, are not said to be one', async () => {
  const seller = await createSeller();
  const { id, counts } = await seller.preview('[1,null,{"price":"5"},{"price":"5"},{"title":"Chair","price":"5"}]');
  expect(counts).toEqual({ new: 0, changed: 0, same: 0, wrong: 5 });
  const said = (await listRows(db, id, { limit: 10 })).flatMap(({ problems }) => problems.map(({ what }) => what));
  expect(said.filter((what) => /same id/.test(what))).toEqual([]);
});

test.each([
  ['', 'The file is empty.'],
  [toAdsCsv(), 'The file has no ads.'],
  ['PK\u0003\u0004', /no text file/],
  ['<rss><a>', /No format/],
  ['a,b\n1,2', /No column is known to be the title/],
])('%j changes nothing', async (text, message) => {
  const seller = await createSeller();
  await seller.run(manyAds(2));
  const before = await seller.listAds();
  const refused = await seller.start(text, { pauseMissing: true }).catch((error) => error);
  expect(refused.fields.file).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  expect(await seller.listAds()).toEqual(before);
});

test('all or nothing imports nothing if a row is wrong, before or while it runs', async () => {
  const seller = await createSeller();
  const wrong = toAdsCsv('1,Chair,Oak,10,furniture,,', '2,,Oak,10,furniture,,');
  await expect(seller.run(wrong, { allOrNothing: true })).rejects.toThrow('1 of the rows is wrong');
  const id = await seller.start(manyAds(250), { allOrNothing: true });
  await db('import_rows')
    .where({ import_id: id, position: 201 })
    .update({
      content: db.raw(`content || '{"category": "nowhere"}'`),
    });
  await runImport(app, id);
  expect(await readImport(app, seller.actor, id)).toMatchObject({
    state: 'failed',
    error: 'Line 202: Unknown category. Nothing was imported.',
    created: 0,
  });
  expect(await seller.listAds()).toEqual([]);
});

test('a row that stops being right while the import runs does not stop the others', async () => {
  const seller = await createSeller();
  const id = await seller.start(manyAds(5));
  await db('import_rows')
    .where({ import_id: id, position: 3 })
    .update({
      content: db.raw(`content || '{"category": "nowhere"}'`),
    });
  await runImport(app, id);
  expect(await readImport(app, seller.actor, id)).toMatchObject({
    state: 'done',
    created: 4,
    refused: 1,
    counts: { wrong: 1 },
  });
  const [row] = await listRows(db, id, { kind: 'wrong', limit: 10 });
  expect(row!.problems).toMatchObject([
    { column: 'category', what: 'Unknown category', how: 'Mend it, and import the file again.' },
  ]);
});

test('hidden ads and drafts come in paused, and an edit there is not undone by the same file', async () => {
  const seller = await createSeller();
  await seller.run(toAdsCsv('1,Chair,Oak,10,furniture,,draft', '2,Lamp,Brass,20,furniture,,'));
  expect((await seller.listAds()).map(({ state }) => state)).toEqual(['paused', 'active']);
  const drafts = await createSeller();
  await drafts.run(manyAds(2), { asDrafts: true });
  const [first] = await drafts.listAds();
  expect(first.state).toBe('paused');
  await setAdPaused(app, drafts.actor, first.id, false);
  expect(await drafts.run(manyAds(2), { asDrafts: true })).toMatchObject({ counts: { same: 2 } });
  expect((await drafts.listAds()).map(({ state }) => state)).toEqual(['active', 'paused']);
  expect(await drafts.run(manyAds(2, 11), { asDrafts: true })).toMatchObject({ updated: 2 });
  expect((await drafts.listAds()).map(({ state }) => state)).toEqual(['active', 'paused']);
});

test('no file makes an ad public that its seller keeps back', async () => {
  const seller = await createSeller();
  const statesAfter = async (price: number, states: string[], options = {}) => {
    await seller.run(
      toAdsCsv(...states.map((state, i) => `${i},Chair ${i},Oak,${price},furniture,,${state}`)),
      options,
    );
    return (await seller.listAds()).map(({ state }) => state);
  };
  // a draft stays one with each file that changes it, also if one of them hides it between
  const draft = await createSeller();
  await draft.run(toAdsCsv('1,Chair,Oak,10,furniture,,'), { asDrafts: true });
  for (const [price, state] of [
    [11, ''],
    [12, 'draft'],
    [13, ''],
  ] as const) {
    await draft.run(toAdsCsv(`1,Chair,Oak,${price},furniture,,${state}`));
    expect(await draft.listAds()).toMatchObject([{ price: `${price}.00`, state: 'paused' }]);
  }
  // what the file hid comes back with it
  expect(await statesAfter(10, ['draft', '', ''])).toEqual(['paused', 'active', 'active']);
  expect(await statesAfter(11, ['', 'draft', ''])).toEqual(['active', 'paused', 'active']);
  expect(await statesAfter(12, ['', '', ''])).toEqual(['active', 'active', 'active']);
  // what its seller paused does not, also if the file hides it meanwhile
  const [first, second] = await seller.listAds();
  await setAdPaused(app, seller.actor, first.id, true);
  await setAdPaused(app, seller.actor, second.id, true);
  expect(await statesAfter(13, ['', 'draft', ''])).toEqual(['paused', 'paused', 'active']);
  expect(await statesAfter(14, ['', '', ''])).toEqual(['paused', 'paused', 'active']);
  await setAdPaused(app, seller.actor, first.id, false);
  expect(await statesAfter(15, ['', '', ''])).toEqual(['active', 'paused', 'active']);
});

test('an ad of a file has the words of a typed one in the index from the start', async () => {
  const seller = await createSeller();
  await seller.run(toAdsCsv('1,Oak chairs,Sturdy and heavy,10,furniture,,', '2,Lamp,Brass,20,electronics,,paused'));
  const ids = (await seller.listAds()).map(({ id }) => id);
  const read = async () => [
    await db('ad_terms').whereIn('ad_id', ids).orderBy('ad_id'),
    await db('listed_ads').whereIn('id', ids).select('id', 'words'),
  ];
  const [terms, listed] = await read();
  expect([terms!.length, listed!.length]).toEqual([2, 1]);
  await inTransaction(db, (trx) => indexAds(trx, lexiconOf(app), ids));
  expect(await read()).toEqual([terms, listed]);
});

test('words are judged, and no follower hears of it', async () => {
  const { client } = await createPerson({ role: 'admin' });
  await client.ok(updateSettings, { body: { ...DEFAULT_SETTINGS, bannedWords: ['replica'] } });
  const seller = await createSeller();
  const fan = await insertUser(app);
  await db('follows').insert({ follower_id: fan.id, seller_id: seller.id });
  await seller.run(toAdsCsv('1,Chair,A replica,10,furniture,,', '2,Lamp,Brass,20,furniture,,'));
  expect((await seller.listAds()).map(({ state, listed }) => [state, listed])).toEqual([
    ['pending', false],
    ['active', true],
  ]);
  await handlePublications(app, [announceAds]);
  expect(await db('ads_to_announce').where({ seller_id: seller.id })).toEqual([]);
  expect(await db('x_posts').where({ user_id: seller.id })).toEqual([]);
});

test('an import that is killed anywhere goes on where it stopped', async () => {
  const seller = await createSeller();
  const tables = ['ads', 'ad_terms', 'imported_ads', 'import_rows', 'imports'];
  const id = await seller.start(manyAds(350));
  // a sequence is not rolled back, and a backend may end itself
  await db.raw(`create sequence statements;
    create function die() returns trigger language plpgsql as $$ begin
      if nextval('statements') in (1, 3, 7, 10, 12, 16, 19, 22, 26, 29) then perform pg_terminate_backend(pg_backend_pid()); end if;
      return null; end $$;
    ${tables.map((table) => `create trigger die after insert or update on ${table} for each statement execute function die();`).join(' ')}`);
  let killed = 0;
  for (let isOver = false; !isOver; ) {
    isOver = await runImport(app, id).then(
      () => true,
      () => false,
    );
    if (!isOver) killed += 1;
    const { created, done } = await readImport(app, seller.actor, id);
    expect(done).toBe(created);
    expect(await seller.listAds()).toHaveLength(created);
    expect(await db('imported_ads').where({ user_id: seller.id })).toHaveLength(created);
  }
  await db.raw('drop function die cascade; drop sequence statements');
  expect(killed).toBe(10);
  expect(await readImport(app, seller.actor, id)).toMatchObject({ state: 'done', created: 350, refused: 0 });
  expect(await seller.run(manyAds(350))).toMatchObject({ counts: { same: 350, new: 0 } });
});

test('a seller who is banned meanwhile imports nothing more', async () => {
  const seller = await createSeller();
  const id = await seller.start(manyAds(3));
  await db('users').where({ id: seller.id }).update({ banned_at: db.fn.now() });
  await runImport(app, id);
  expect(await db('imports').where({ id }).first()).toMatchObject({ state: 'failed', created: 0 });
  await expect(seller.preview(manyAds(1))).rejects.toThrow('suspended');
});

test('one import of a person runs at a time, and nobody reads or starts that of another', async () => {
  const [seller, other] = [await createSeller(), await createSeller()];
  const id = await seller.start(manyAds(1));
  await expect(seller.preview(manyAds(1))).rejects.toThrow(
    'An import is running: ads.csv, 0 of 1. Wait until it is done.',
  );
  await expect(startImport(app, seller.actor, id, RUN_OPTIONS)).rejects.toThrow('has begun already');
  await expect(readImport(app, other.actor, id)).rejects.toThrow('Import not found');
  await expect(startImport(app, other.actor, id, RUN_OPTIONS)).rejects.toThrow('Import not found');
  await jobHandlers['run-import'](
    app,
    { importId: id },
    { attempt: 1, maxAttempts: 25, signal: new AbortController().signal },
  );
  expect(await seller.preview(manyAds(1))).toMatchObject({ state: 'ready' });
  await db('imports').update({ created_at: db.raw("now() - interval '31 days'") });
  await cleanUp(app);
  expect(await db('imports')).toEqual([]);
});

test('a deleted ad is forgotten: the file makes it anew', async () => {
  const seller = await createSeller();
  await seller.run(manyAds(2));
  const [first] = await seller.listAds();
  const { softDeleteAds } = await import('../ads/repository.ts');
  await db.transaction((trx) => softDeleteAds(trx, [first.id]));
  expect(await seller.run(manyAds(2))).toMatchObject({ created: 1, counts: { same: 1 } });
});
