import { beforeAll, expect, test } from 'vitest';
import { createAd } from '../../../contract/ads.ts';
import * as api from '../../../contract/imports.ts';
import { exportMyAds } from '../../../contract/own-ads.ts';
import { uploadPhoto } from '../../../contract/photos.ts';
import { openTestApp, type Person } from '../../../test/harness/app.ts';
import { createClient } from '../../../test/harness/client.ts';
import { adBody, insertCategories, SETTLED } from '../../../test/harness/factories.ts';
import { makePhoto } from '../../../test/harness/photos.ts';
import { openToken } from '../../../test/harness/sessions.ts';
import { runImport } from './run.ts';

const { app, url, createPerson } = await openTestApp();
const { db } = app;
beforeAll(() => insertCategories(app));

const preview = async ({ client }: Person, text: string) => {
  const { import: made } = await client.ok(api.previewImport, { query: { fileName: 'ads' }, body: Buffer.from(text) });
  return made!;
};
const run = async (person: Person, text: string, options: { pauseMissing?: boolean } = {}) => {
  const { id } = await preview(person, text);
  const params = { id };
  await person.client.ok(api.startImport, { params, body: options });
  await runImport(app, id);
  return person.client.ok(api.getImport, { params });
};
const listAds = ({ id }: Person) => db('ads').where({ user_id: id }).orderBy('id');

const CSV = 'id,title,description,price,category\n1,Chair,Oak,10,furniture\n2,Lamp,Brass,20,furniture\n';

test('the imports of others cannot be read, started or forgotten, and are in no list', async () => {
  const [owner, other] = [await createPerson(SETTLED), await createPerson(SETTLED)];
  const { id } = await preview(owner, CSV);
  const params = { id };
  for (const spec of [api.getImport, api.listImportRows, api.listImportMistakes, api.deleteImport])
    expect(await other.client.call(spec, { params })).toMatchObject({ status: 404 });
  expect(await other.client.call(api.startImport, { params, body: {} })).toMatchObject({ status: 404 });
  expect(await other.client.ok(api.listImports)).toEqual([]);
  expect(await owner.client.ok(api.listImports)).toMatchObject([{ id, state: 'ready' }]);
});

test('ads of others under the same ids are neither known, changed nor paused', async () => {
  const [owner, other] = [await createPerson(SETTLED), await createPerson(SETTLED)];
  await run(owner, CSV);
  const before = await listAds(owner);
  expect(await preview(other, CSV)).toMatchObject({ counts: { new: 2, same: 0, changed: 0 }, missing: 0 });
  const rest = CSV.replace('1,Chair,Oak,10', '3,Chair,Pine,11');
  expect(await run(other, rest, { pauseMissing: true })).toMatchObject({ created: 2, updated: 0, paused: 0 });
  expect(await listAds(owner)).toEqual(before);
  expect(await listAds(other)).toHaveLength(2);
});

test('who began an import, and with which token, is in the audit log', async () => {
  const person = await createPerson(SETTLED);
  await run(person, CSV);
  const program = createClient(url, { Authorization: await openToken(app, person.id, ['ads:read', 'ads:write']) });
  await run({ ...person, client: program }, CSV.replace('10', '11'), { pauseMissing: true });
  const entries = await db('audit_log').where({ actor_id: person.id, action: 'ads.import' }).orderBy('id');
  expect(entries).toMatchObject([
    { target_id: person.id, details: { new: 2, source: 'csv', pauseMissing: false } },
    { target_id: person.id, details: { changed: 1, pauseMissing: true, byToken: expect.any(String) } },
  ]);
});

test('the address of an ad of somebody else is a name, and its photos are fetched like any others', async () => {
  const [owner, other] = [await createPerson(SETTLED), await createPerson(SETTLED)];
  const photo = await owner.client.ok(uploadPhoto, { body: await makePhoto({ width: 320, height: 240, seed: 4 }) });
  await owner.client.ok(createAd, { body: adBody({ imageUrls: [photo.url] }) });
  const before = await listAds(owner);
  const [ad] = await owner.client.ok(exportMyAds);
  const file = JSON.stringify([{ ...ad, title: 'Taken over' }]);
  expect(await preview(other, file)).toMatchObject({ counts: { new: 1, changed: 0, same: 0 } });
  expect(await run(other, file)).toMatchObject({ created: 1, updated: 0, photos: { waiting: 1 } });
  expect(await listAds(owner)).toEqual(before);
  // nothing of another person is shown unasked: it may be gone, or hidden, meanwhile
  expect(await listAds(other)).toMatchObject([{ title: 'Taken over', has_photos: false }]);
  // their own is known by its address
  expect(await preview(owner, file)).toMatchObject({ counts: { new: 0, changed: 1 } });
});
