import { beforeAll, describe, expect, test } from 'vitest';
import { banUser, setAdStatus, suspendUser, unbanUser } from '../../../contract/admin.ts';
import { type Ad, createAd, deleteAd, listAds, setAdSold, updateAd } from '../../../contract/ads.ts';
import { blockUser, unblockUser } from '../../../contract/blocks.ts';
import * as api from '../../../contract/saved-searches.ts';
import { deleteMe, exportMyData } from '../../../contract/users.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import {
  adBody,
  insertCategories,
  insertPlaces,
  insertUser,
  PLACES,
  SETTLED,
} from '../../../test/harness/factories.ts';
import { JUST_WROTE } from '../../../test/harness/sessions.ts';
import { handlePublications } from '../ads/publications.ts';
import { matchSearches, notifyDueSearches } from './jobs.ts';

let skippedMs = 0;
const { app, anonymous, signIn } = await openTestApp({
  env: { TZ: 'Europe/Berlin' },
  parts: { clock: { now: () => new Date(Date.now() + skippedMs) } },
});
anonymous.headers.Cookie = JUST_WROTE;

beforeAll(async () => {
  await insertCategories(app);
  await insertPlaces(app);
});

const createPerson = async (columns = {}) => {
  const user = await insertUser(app, { ...SETTLED, ...columns });
  return { ...user, client: await signIn(user.id) };
};
type Person = Awaited<ReturnType<typeof createPerson>>;
const post = ({ client }: Person, fields: Parameters<typeof adBody>[0] = {}) =>
  client.ok(createAd, { body: adBody(fields) });
const save = ({ client }: Person, filters: Record<string, string>, frequency: api.SearchFrequency = 'instantly') =>
  client.ok(api.createSavedSearch, { body: { name: 'My search', frequency, filters } });
const run = async () => {
  await handlePublications(app, [matchSearches]);
  await notifyDueSearches(app);
};
const matchesOf = (id: string): Promise<string[]> =>
  app.db('search_matches').where({ search_id: id }).orderBy('ad_id').pluck('ad_id');
const told = ({ id }: { id: string }) =>
  app.db('notifications').where({ user_id: id, kind: 'search_match' }).orderBy('id').select('title', 'body', 'url');
const isPublicAgain = (admin: Person, { id }: Ad) =>
  admin.client.ok(setAdStatus, { params: { id }, body: { status: 'active' } });
const takeDown = (admin: Person, { id }: Ad) =>
  admin.client.ok(setAdStatus, { params: { id }, body: { status: 'inactive', reason: 'Not allowed' } });

const SEARCHES: Record<string, string>[] = [
  { search: 'oboe' },
  { search: 'oboes in grenadilla' },
  { search: 'obo' },
  { search: 'café-racer' },
  { search: 'x' },
  { search: 'wi-fi' },
  { search: 'reed', category: 'musical-instruments' },
  { search: 'reed', category: 'books' },
  { search: 'reed', minPrice: '20', maxPrice: '30' },
  { category: 'musical-instruments' },
  { category: 'musical-instruments', maxPrice: '19.99' },
  { category: 'musical-instruments', minPrice: '20', maxPrice: '20' },
  { minPrice: '500' },
  { maxPrice: '5' },
  { search: '管 楽器' },
  { condition: 'new,good', search: 'oboe' },
  { near: PLACES.berlin.id, radius: '50' },
  { category: 'vehicles', 'd.year.min': '2010', 'd.make': 'ÉCLAIR' },
  { category: 'vehicles', 'd.year.max': '2009' },
  { priceType: 'negotiable', hideSold: 'true' },
];
const ADS: Parameters<typeof adBody>[0][] = [
  { title: 'Oboe', description: 'Of grenadilla wood', category: 'musical-instruments', price: 800, condition: 'new' },
  {
    title: 'Oboes, two of them',
    description: 'O’Brien made them',
    category: 'musical-instruments',
    price: 20,
    placeId: PLACES.berlin.id,
  },
  { title: "O'Brien oboe reeds", description: 'Reed case', category: 'musical-instruments', price: 19.99 },
  { title: 'A reed', description: 'From the lake', category: 'books', price: 25, priceType: 'negotiable' },
  {
    title: 'Café racer',
    description: 'A 3.5 jack and Wi-Fi',
    category: 'vehicles',
    price: 5,
    details: { make: 'Eclair', year: 2011 },
  },
  { title: 'cafe-racer', description: 'C++ handbook, volume x', category: 'books', price: 5.01 },
  { title: '管 楽器', description: 'https://example.com/oboe', category: 'other', price: 0, priceType: 'free' },
];

describe('a new ad', () => {
  test('matches the searches whose list shows it, and no other', async () => {
    const [buyer, seller, other] = [await createPerson(), await createPerson(), await createPerson()];
    // the list completes the last word with words that ads have
    for (const ad of ADS) await post(other, ad);
    await run();
    const saved = [];
    for (const filters of SEARCHES) saved.push(await save(buyer, filters, 'never'));
    const posted = [];
    for (const ad of ADS) posted.push(await post(seller, ad));
    await run();
    const ids = new Set(posted.map(({ id }) => id));
    let matches = 0;
    for (const { id, filters, newCount } of saved) {
      const listed = (await anonymous.ok(listAds, { query: { ...filters, limit: '100' } })).map((ad) => ad.id);
      const expected = listed.filter((ad) => ids.has(ad)).sort((a, b) => Number(a) - Number(b));
      expect([filters, newCount, await matchesOf(id)]).toEqual([filters, 0, expected]);
      matches += expected.length;
    }
    expect(matches).toBeGreaterThan(25);
  });

  test('never matches a search of its seller, or of a person who blocked the seller or whom the seller blocked', async () => {
    const [seller, blocker, blocked, buyer] = [
      await createPerson(),
      await createPerson(),
      await createPerson(),
      await createPerson(),
    ];
    const searches = [];
    for (const person of [seller, blocker, blocked, buyer]) searches.push(await save(person, { search: 'bassoon' }));
    await blocker.client.ok(blockUser, { params: { userId: seller.id } });
    await seller.client.ok(blockUser, { params: { userId: blocked.id } });
    const ad = await post(seller, { title: 'Bassoon' });
    await run();
    expect(await Promise.all(searches.map(({ id }) => matchesOf(id)))).toEqual([[], [], [], [ad.id]]);
    await blocker.client.ok(unblockUser, { params: { userId: seller.id } });
    await run();
    expect(await told(blocker)).toEqual([]);
  });

  test('does not match a search that was saved after it became public, even if the job is late', async () => {
    const [seller, buyer] = [await createPerson(), await createPerson()];
    await post(seller, { title: 'Celesta' });
    const { id } = await save(buyer, { search: 'celesta' });
    await run();
    expect(await matchesOf(id)).toEqual([]);
  });

  test('matches once: not when it is edited, sold and available again, or restored', async () => {
    const [seller, buyer, admin] = [await createPerson(), await createPerson(), await createPerson({ role: 'admin' })];
    const ad = await post(seller, { title: 'Harp' });
    await run();
    const { id } = await save(buyer, { search: 'spinet' });
    const params = { id: ad.id };
    await seller.client.ok(updateAd, { params, body: adBody({ title: 'Spinet' }) });
    for (const isSold of [true, false]) await seller.client.ok(setAdSold, { params, body: { isSold } });
    await takeDown(admin, ad);
    await isPublicAgain(admin, ad);
    await run();
    expect(await matchesOf(id)).toEqual([]);
    const other = await post(seller, { title: 'Another spinet' });
    await run();
    await buyer.client.ok(api.markSavedSearchSeen, { params: { id } });
    await takeDown(admin, other);
    await isPublicAgain(admin, other);
    await run();
    expect(await matchesOf(id)).toEqual([]);
    expect(await told(buyer)).toHaveLength(1);
  });

  test('matches when it is approved, also after an edit that moderation accepts', async () => {
    const [seller, buyer, admin] = [await createPerson(), await createPerson(), await createPerson({ role: 'admin' })];
    const { id } = await save(buyer, { search: 'lute' });
    const [approved, edited] = [
      await post(seller, { title: 'Lute, no scam' }),
      await post(seller, { title: 'Lute: spam' }),
    ];
    expect([approved.state, edited.state]).toEqual(['pending', 'pending']);
    await run();
    expect(await matchesOf(id)).toEqual([]);
    await isPublicAgain(admin, approved);
    await seller.client.ok(updateAd, { params: { id: edited.id }, body: adBody({ title: 'Lute' }) });
    await run();
    expect(await matchesOf(id)).toEqual([approved.id, edited.id]);
  });

  test('does not match while it is hidden or deleted before the job runs; restored, it matches', async () => {
    const [seller, banned, suspended] = [await createPerson(), await createPerson(), await createPerson()];
    const [buyer, admin] = [await createPerson(), await createPerson({ role: 'admin' })];
    const { id } = await save(buyer, { search: 'viola' });
    const [hidden, deleted] = [await post(seller, { title: 'Viola 1' }), await post(seller, { title: 'Viola 2' })];
    await post(banned, { title: 'Viola 3' });
    const late = await post(suspended, { title: 'Viola 4' });
    const sold = await post(seller, { title: 'Viola 5' });
    await takeDown(admin, hidden);
    await seller.client.ok(deleteAd, { params: { id: deleted.id } });
    await admin.client.ok(banUser, { params: { id: banned.id }, body: {} });
    await admin.client.ok(suspendUser, { params: { id: suspended.id }, body: { days: 7, reason: 'scam' } });
    await seller.client.ok(setAdSold, { params: { id: sold.id }, body: { isSold: true } });
    await run();
    expect([await matchesOf(id), await told(buyer)]).toEqual([[], []]);
    await isPublicAgain(admin, hidden);
    await admin.client.ok(unbanUser, { params: { id: suspended.id } });
    await run();
    expect(await matchesOf(id)).toEqual([hidden.id, late.id].sort());
  });

  test('is matched once by jobs that run at the same time, and ads of an import in one notification', async () => {
    const [seller, buyer] = [await createPerson(), await createPerson()];
    const { id } = await save(buyer, { search: 'tuba' });
    await app.db.raw(
      `insert into ads (user_id, category_id, title, description, price)
       select ?, (select min(id) from categories), 'Tuba ' || n, '', 5 from generate_series(1, 250) n`,
      [seller.id],
    );
    await Promise.all([run(), run(), run(), run()]);
    await run();
    expect(await matchesOf(id)).toHaveLength(250);
    expect(await told(buyer)).toHaveLength(1);
    skippedMs += 11 * 60_000;
    await Promise.all([run(), run()]);
    const titles = (await told(buyer)).map(({ title }) => Number(/^\d+/.exec(title)?.[0]));
    expect(titles.reduce((sum, count) => sum + count, 0)).toBe(250);
    expect(titles.length).toBeLessThanOrEqual(2);
  });

  test('waits for the next run while another transaction changes it', async () => {
    const [seller, buyer] = [await createPerson(), await createPerson()];
    const { id } = await save(buyer, { search: 'theorbo' });
    const ad = await post(seller, { title: 'Theorbo' });
    await app.db('ads').where({ id: ad.id }).update({ description: 'Large' });
    const trx = await app.db.transaction();
    await trx('ads').where({ id: ad.id }).forUpdate();
    await run();
    expect(await matchesOf(id)).toEqual([]);
    expect(await app.db('graphile_worker.jobs').where({ key: 'handle-publications later' }).first('id')).toBeDefined();
    await trx.commit();
    await run();
    expect(await matchesOf(id)).toEqual([ad.id]);
  });
});

describe('a notification', () => {
  test('names the search and the ad, and leads to it; of several, to the search', async () => {
    const [seller, buyer] = [await createPerson(), await createPerson()];
    const { id } = await save(buyer, { search: 'marimba' });
    const ad = await post(seller, { title: 'Marimba' });
    await run();
    expect(await told(buyer)).toEqual([{ title: 'New ad for “My search”', body: 'Marimba', url: `/ads/${ad.id}` }]);
    for (const n of [1, 2, 3, 4, 5]) await post(seller, { title: `Marimba ${n}` });
    await run();
    expect(await told(buyer)).toHaveLength(1);
    skippedMs += 10 * 60_000;
    await run();
    expect((await told(buyer)).at(-1)).toEqual({
      title: '5 new ads for “My search”',
      body: 'Marimba 5, Marimba 4, Marimba 3 and 2 more',
      url: `/saved-searches/${id}`,
    });
    skippedMs += 10 * 60_000;
    await run();
    expect(await told(buyer)).toHaveLength(2);
  });

  test('does not mention ads that were hidden meanwhile, or seen in the list', async () => {
    const [seller, buyer] = [await createPerson(), await createPerson()];
    const { id } = await save(buyer, { search: 'kazoo' });
    await post(seller, { title: 'Kazoo 1' });
    await run();
    const second = await post(seller, { title: 'Kazoo 2' });
    await post(seller, { title: 'Kazoo 3' });
    await run();
    await seller.client.ok(deleteAd, { params: { id: second.id } });
    skippedMs += 10 * 60_000;
    await run();
    expect((await told(buyer)).map(({ body }) => body)).toEqual(['Kazoo 1', 'Kazoo 3']);
    await post(seller, { title: 'Kazoo 4' });
    await run();
    await buyer.client.ok(api.markSavedSearchSeen, { params: { id } });
    skippedMs += 10 * 60_000;
    await run();
    expect(await told(buyer)).toHaveLength(2);
  });

  test('comes once a day, at eight in the morning of the site’s time zone, if the search says so', async () => {
    const [seller, buyer] = [await createPerson(), await createPerson()];
    const { id } = await save(buyer, { search: 'ocarina' }, 'daily');
    const at = (local: string) => {
      skippedMs = Date.parse(local) - Date.now();
    };
    // the clocks of Berlin change on 2027-03-28
    at('2027-03-27T07:59:00+01:00');
    await post(seller, { title: 'Ocarina 1' });
    await run();
    expect(await told(buyer)).toHaveLength(0);
    at('2027-03-27T08:00:01+01:00');
    await run();
    expect(await told(buyer)).toHaveLength(1);
    for (const n of [2, 3]) await post(seller, { title: `Ocarina ${n}` });
    await run();
    at('2027-03-28T07:59:59+02:00');
    await run();
    expect(await told(buyer)).toHaveLength(1);
    at('2027-03-28T08:00:01+02:00');
    await run();
    expect((await told(buyer)).at(-1)).toMatchObject({
      title: '2 new ads for “My search”',
      body: 'Ocarina 3 and Ocarina 2',
    });
    await post(seller, { title: 'Ocarina 4' });
    await run();
    await buyer.client.ok(api.updateSavedSearch, { params: { id }, body: { frequency: 'instantly' } });
    at('2027-03-28T08:10:02+02:00');
    await run();
    expect(await told(buyer)).toHaveLength(3);
    await buyer.client.ok(api.updateSavedSearch, { params: { id }, body: { frequency: 'daily' } });
    await post(seller, { title: 'Ocarina 5' });
    await run();
    at('2027-03-29T08:00:01+02:00');
    await run();
    expect(await told(buyer)).toHaveLength(4);
    skippedMs = 0;
  });

  test('comes at eight where its owner is, or where the site is if PostgreSQL does not know that zone', async () => {
    const zones = ['Asia/Tokyo', 'America/New_York', 'Mars/Olympus', null];
    const seller = await createPerson();
    const buyers = await Promise.all(zones.map((time_zone) => createPerson({ time_zone })));
    for (const buyer of buyers) await save(buyer, { search: 'sousaphone' }, 'daily');
    const countAt = async (moment: string) => {
      skippedMs = Date.parse(moment) - Date.now();
      await run();
      return Promise.all(buyers.map(async (buyer) => (await told(buyer)).length));
    };
    skippedMs = Date.parse('2027-06-01T22:00:00Z') - Date.now();
    await post(seller, { title: 'Sousaphone' });
    // eight o'clock in Tokyo is 23:00 UTC, in Berlin 6:00, in New York 12:00
    expect(await countAt('2027-06-01T22:59:00Z')).toEqual([0, 0, 0, 0]);
    expect(await countAt('2027-06-01T23:00:01Z')).toEqual([1, 0, 0, 0]);
    expect(await countAt('2027-06-02T05:59:00Z')).toEqual([1, 0, 0, 0]);
    expect(await countAt('2027-06-02T06:00:01Z')).toEqual([1, 0, 1, 1]);
    expect(await countAt('2027-06-02T11:59:00Z')).toEqual([1, 0, 1, 1]);
    expect(await countAt('2027-06-02T12:00:01Z')).toEqual([1, 1, 1, 1]);
    skippedMs = 0;
  });

  test('never comes for a search that only counts, nor for what it counted before', async () => {
    const [seller, buyer] = [await createPerson(), await createPerson()];
    const { id } = await save(buyer, { search: 'zither' });
    await post(seller, { title: 'Zither 1' });
    await run();
    await post(seller, { title: 'Zither 2' });
    await run();
    await buyer.client.ok(api.updateSavedSearch, { params: { id }, body: { frequency: 'never' } });
    skippedMs += 10 * 60_000;
    await post(seller, { title: 'Zither 3' });
    await run();
    await buyer.client.ok(api.updateSavedSearch, { params: { id }, body: { frequency: 'instantly' } });
    await run();
    expect(await told(buyer)).toHaveLength(1);
    expect(await buyer.client.ok(api.listSavedSearches)).toMatchObject([{ newCount: 3 }]);
    await post(seller, { title: 'Zither 4' });
    await run();
    expect((await told(buyer)).map(({ body }) => body)).toEqual(['Zither 1', 'Zither 4']);
  });

  test('is not sent to a person who deletes the account while the job runs', async () => {
    const [seller, buyer] = [await createPerson(), await createPerson()];
    await save(buyer, { search: 'sackbut' });
    await post(seller, { title: 'Sackbut' });
    const [deleted] = await Promise.all([buyer.client.call(deleteMe), run()]);
    await run();
    expect(deleted.status).toBe(204);
    for (const table of ['saved_searches', 'notifications'])
      expect(await app.db(table).where({ user_id: buyer.id })).toEqual([]);
  });
});

test('the export contains the saved searches and their new ads', async () => {
  const [seller, buyer] = [await createPerson(), await createPerson()];
  const { id } = await save(buyer, { search: 'dulcimer', category: 'musical-instruments' }, 'daily');
  const ad = await post(seller, { title: 'Dulcimer', category: 'musical-instruments' });
  await run();
  const filters = { search: 'dulcimer', category: 'musical-instruments' };
  expect((await buyer.client.call(exportMyData)).body.savedSearches).toMatchObject([
    { id, name: 'My search', frequency: 'daily', category: 'musical-instruments', filters, newAds: [ad.id] },
  ]);
});

test('a search that nothing can be tested with is set aside; the others, and followers, learn of the ad', async () => {
  const seller = await createPerson();
  const people = [await createPerson(), await createPerson(), await createPerson()];
  const searches = [];
  for (const person of people)
    searches.push(await save(person, { category: 'musical-instruments', search: 'theremin' }));
  const [poison, ...others] = searches;
  await app
    .db('saved_searches')
    .where({ id: poison!.id })
    .update({
      resolved: app.db.raw(`resolved || '{"userId": "no number"}'`),
    });
  const first = await post(seller, { title: 'Theremin', category: 'musical-instruments' });
  await run();
  const second = await post(seller, { title: 'Old theremin', category: 'musical-instruments' });
  await run();
  for (const { id } of others) expect(await matchesOf(id)).toEqual([first.id, second.id]);
  expect(await matchesOf(poison!.id)).toEqual([]);
  expect(await app.db('set_aside').select('pipeline', 'subject', 'failures')).toEqual([
    { pipeline: 'match-searches', subject: poison!.id, failures: 1 },
  ]);
});
