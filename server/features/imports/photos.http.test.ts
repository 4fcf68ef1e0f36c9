import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { banUser, suspendUser, unbanUser, updateSettings } from '../../../contract/admin.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { insertCategories } from '../../../test/harness/factories.ts';
import { createImporter, manyAds, toAdsCsv } from '../../../test/harness/importing.ts';
import { makePhoto } from '../../../test/harness/photos.ts';
import { jobHandlers } from '../../job-handlers.ts';
import { runDueJobs } from '../../jobs/worker.ts';
import { endExpiredSuspensions, finishAdsUpdate } from '../account/removal.ts';
import { DEFAULT_SETTINGS } from '../settings/repository.ts';
import { fetchPhotos, takeFiles } from './photos.ts';
import { readImport } from './service.ts';

const { app, createPerson } = await openTestApp();
const { db } = app;
beforeAll(() => insertCategories(app));

const createSeller = () => createImporter(app);

const photos = new Map<string, () => { status: number; body?: Buffer; location?: string }>();
const asked: string[] = [];
const host = createServer((req, res) => {
  asked.push(req.url!);
  const { status, body, location } = photos.get(req.url!)?.() ?? { status: 404 };
  res.writeHead(status, location ? { location } : {}).end(body);
});
await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
afterAll(() => host.close());
const at = (path: string) => `http://127.0.0.1:${(host.address() as AddressInfo).port}${path}`;

test('photos are fetched once, in their order, and those that fail are named', async () => {
  const [one, two] = [
    await makePhoto({ width: 320, height: 240, seed: 1 }),
    await makePhoto({ width: 320, height: 240, seed: 2 }),
  ];
  const busy = [408, 425];
  photos.set('/1.jpg', () => ({ status: 200, body: one }));
  photos.set('/moved', () => ({ status: 302, location: '/2.jpg' }));
  photos.set('/2.jpg', () => ({ status: 200, body: two }));
  photos.set('/text', () => ({ status: 200, body: Buffer.from('hello') }));
  photos.set('/busy', () => ({ status: busy.shift() ?? 200, body: one }));
  photos.set('/down', () => ({ status: 500 }));
  photos.set('/inside', () => ({ status: 302, location: 'http://10.0.0.1/' }));
  const seller = await createSeller();
  const file = (...paths: string[]) => toAdsCsv(`1,Chair,Oak,10,furniture,${paths.map(at).join(' ')},`);
  const { id } = await seller.run(file('/1.jpg', '/moved', '/text', '/inside', '/down'));
  const [ad] = await seller.listAds();
  for (let i = 0; i < 4; i++) await fetchPhotos(app, ad.id);
  const listShas = async () =>
    (await db('ad_images').where({ ad_id: ad.id }).orderBy('position')).map(({ sha256 }) => sha256.toString('hex'));
  const shown = await listShas();
  expect(shown).toHaveLength(2);
  expect((await readImport(app, seller.actor, id)).photos).toMatchObject({
    waiting: 0,
    failedCount: 3,
    failed: [
      { line: 2, url: at('/text'), failure: 'not a photo that can be read (JPEG, PNG or WebP)' },
      { line: 2, url: at('/inside'), failure: '10.0.0.1 is not on the public internet' },
      { line: 2, url: at('/down'), failure: 'the server answers 500' },
    ],
  });
  expect(asked.filter((path) => path === '/down')).toHaveLength(3);

  asked.length = 0;
  await seller.run(file('/moved', '/1.jpg', '/busy'));
  for (let i = 0; i < 3; i++) await fetchPhotos(app, ad.id);
  expect(asked).toEqual(['/busy', '/busy', '/busy']);
  expect(await listShas()).toEqual([shown[1], shown[0]]);
  // a file without photos takes none away
  await seller.run(toAdsCsv('1,Chair,Oak,12,furniture,,'));
  expect(await listShas()).toEqual([shown[1], shown[0]]);
});

test('fetched photos are judged as an edit', async () => {
  photos.set('/1.jpg', () => ({ status: 200, body: Buffer.from('') }));
  const body = await makePhoto({ width: 320, height: 240, seed: 5 });
  photos.set('/5.jpg', () => ({ status: 200, body }));
  const { client } = await createPerson({ role: 'admin' });
  await client.ok(updateSettings, { body: { ...DEFAULT_SETTINGS, moderationMode: 'manual' } });
  const seller = await createSeller();
  await seller.run(toAdsCsv(`1,Chair,Oak,10,furniture,${at('/5.jpg')},`));
  const [ad] = await seller.listAds();
  expect(ad).toMatchObject({ state: 'pending' });
  await db('ads').where({ id: ad.id }).update({ moderation: 'clear', is_approved: true });
  await fetchPhotos(app, ad.id);
  expect((await seller.listAds())[0]).toMatchObject({ state: 'pending', has_photos: true });
  await client.ok(updateSettings, { body: DEFAULT_SETTINGS });
});

const serve = async (path: string, seed: number): Promise<string> => {
  const body = await makePhoto({ width: 320, height: 240, seed });
  photos.set(path, () => ({ status: 200, body }));
  return at(path);
};

/** A seller with ads whose photos wait, and who can shut them out. */
const createShut = async (path: string, ads = 1) => {
  const url = await serve(path, 6);
  const [{ client: admin }, seller] = [await createPerson({ role: 'admin' }), await createSeller()];
  const rows = Array.from({ length: ads }, (_, i) => `${i},Chair ${i},Oak of number ${i},10,furniture,${url},`);
  await seller.run(toAdsCsv(...rows));
  const params = { id: seller.id };
  const ban = () => admin.ok(banUser, { params });
  const suspend = () => admin.ok(suspendUser, { params, body: { days: 7, reason: 'other' } });
  const lift = () => admin.ok(unbanUser, { params });
  const countShown = async () => (await seller.listAds()).filter(({ has_photos }) => has_photos).length;
  const work = () => runDueJobs(app, jobHandlers);
  return { ...seller, ban, suspend, lift, countShown, work };
};

test.each(['ban', 'suspend'] as const)(
  'no host is asked for photos of a seller who is shut out (%s) until that is lifted',
  async (how) => {
    const seller = await createShut(`/${how}.jpg`);
    await seller[how]();
    asked.length = 0;
    await seller.work();
    expect([asked, await seller.countShown()]).toEqual([[], 0]);
    await seller.lift();
    await seller.work();
    expect([asked, await seller.countShown()]).toEqual([[`/${how}.jpg`], 1]);
  },
);

test('photos come at the end of a suspension', async () => {
  const seller = await createShut('/end.jpg');
  await seller.suspend();
  asked.length = 0;
  await seller.work();
  await db('users')
    .where({ id: seller.id })
    .update({ suspended_until: db.raw("now() - interval '1 second'") });
  expect(asked).toEqual([]);
  await endExpiredSuspensions(app);
  await seller.work();
  expect([asked, await seller.countShown()]).toEqual([['/end.jpg'], 1]);
});

test('the end of a suspension that leaves a ban brings no photo', async () => {
  const seller = await createShut('/both.jpg');
  await seller.suspend();
  await seller.ban();
  asked.length = 0;
  await db('users')
    .where({ id: seller.id })
    .update({ suspended_until: db.raw("now() - interval '1 second'") });
  await endExpiredSuspensions(app);
  await seller.work();
  expect(asked).toEqual([]);
});

test('photos of many ads come with the job that shows the ads again', async () => {
  const seller = await createShut('/many.jpg', 25);
  await seller.ban();
  await finishAdsUpdate(app, seller.id);
  await seller.work();
  expect(await seller.countShown()).toBe(0);
  await seller.lift();
  const keys = (await seller.listAds()).map(({ id }) => `photos ${id}`);
  const count = async () => (await db('graphile_worker.jobs').whereIn('key', keys)).length;
  expect(await count()).toBe(0);
  await finishAdsUpdate(app, seller.id);
  expect(await count()).toBe(25);
  await seller.work();
  expect(await seller.countShown()).toBe(25);
});

test('a photo of a seller who is banned while it is read is not said to be taken over', async () => {
  const { ban, lift, listAds } = await createShut('/file.jpg');
  const [ad] = await listAds();
  await db('imported_photos').where({ ad_id: ad.id }).update({ url: 'media:1.jpg' });
  const body = await makePhoto({ width: 320, height: 240, seed: 7 });
  const take = (meanwhile?: () => Promise<unknown>) =>
    takeFiles(app, ad.id, async () => {
      await meanwhile?.();
      return body;
    });
  expect(await take(ban)).toEqual([{ path: '1.jpg', failure: 'its seller is banned or suspended' }]);
  expect((await listAds())[0]).toMatchObject({ has_photos: false });
  await lift();
  expect(await take()).toEqual([{ path: '1.jpg', failure: undefined }]);
  expect((await listAds())[0]).toMatchObject({ has_photos: true });
});

test('a photo that many ads show stays in an ad that changes', async () => {
  const seller = await createSeller();
  const file = (text: string) => toAdsCsv(`last,Table,${text},10,furniture,${at('/oak.jpg')} ${at('/elm.jpg')},`);
  await seller.run(manyAds(240));
  await Promise.all([serve('/oak.jpg', 8), serve('/elm.jpg', 9)]);
  await seller.run(file('Oak'));
  const [table] = (await seller.listAds()).slice(-1);
  await fetchPhotos(app, table.id);
  const [oak, elm] = await db('ad_images').where({ ad_id: table.id }).orderBy('position').pluck('sha256');
  const chairs = (await seller.listAds()).slice(0, -1);
  await db('ad_images').insert(
    chairs.map(({ id }, index) => ({ ad_id: id, position: 0, sha256: index < 120 ? oak : elm })),
  );
  asked.length = 0;
  expect(await seller.run(file('Oak and elm'))).toMatchObject({ updated: 1, photos: { waiting: 0 } });
  await fetchPhotos(app, table.id);
  expect(asked).toEqual([]);
  expect(await db('ad_images').where({ ad_id: table.id }).orderBy('position').pluck('sha256')).toEqual([oak, elm]);
});
