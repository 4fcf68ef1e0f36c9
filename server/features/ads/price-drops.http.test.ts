import { beforeAll, describe, expect, test } from 'vitest';
import { setAdStatus, updateSettings } from '../../../contract/admin.ts';
import { createAd, getAd, listAds, setAdSold, updateAd } from '../../../contract/ads.ts';
import { blockUser } from '../../../contract/blocks.ts';
import { listFavorites, toggleFavorite } from '../../../contract/favorites.ts';
import { listNotifications } from '../../../contract/notifications.ts';
import { createReport, decideCase } from '../../../contract/reports.ts';
import { deleteMe, getProfile } from '../../../contract/users.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { failAfter } from '../../../test/harness/database.ts';
import { adBody, insertCategories, insertUser, SETTLED } from '../../../test/harness/factories.ts';
import { inTransaction } from '../../db/transaction.ts';
import { jobHandlers } from '../../job-handlers.ts';
import { runDueJobs } from '../../jobs/worker.ts';
import { runFanOut } from '../notifications/fan-outs.ts';
import { DEFAULT_SETTINGS } from '../settings/repository.ts';
import { priceDrop, resumePriceDrops } from './price-drops.ts';
import { deleteOldPrices } from './prices-repository.ts';

const { app, anonymous, signIn } = await openTestApp({ env: { RATE_LIMIT_SCALE: '1000' } });

beforeAll(() => insertCategories(app));

const { id: adminId } = await insertUser(app, { role: 'admin' });
const admin = await signIn(adminId);

const createPerson = async () => {
  const user = await insertUser(app, SETTLED);
  return { ...user, client: await signIn(user.id) };
};
type Person = Awaited<ReturnType<typeof createPerson>>;
const save = (by: Person, ad: { id: string }) => by.client.ok(toggleFavorite, { params: { id: ad.id } });

/** A seller with an ad at `price`, and a person who saved it. */
const createSale = async (price = '100', fields: Parameters<typeof adBody>[0] = {}) => {
  const [seller, saver] = [await createPerson(), await createPerson()];
  // a price of 0 is asked about
  const body = adBody({ price, confirmPrice: true, ...fields });
  const ad = await seller.client.ok(createAd, { body });
  await save(saver, ad);
  const change = (to: string, other: Parameters<typeof adBody>[0] = {}) =>
    seller.client.ok(updateAd, { params: { id: ad.id }, body: { ...body, price: to, ...other } });
  return { seller, saver, ad, change };
};
type Sale = Awaited<ReturnType<typeof createSale>>;
const runJobs = () => runDueJobs(app, jobHandlers);
const listDrops = async (person: Person) =>
  (await person.client.ok(listNotifications)).filter(({ kind }) => kind === 'price_drop');
/** Lets everything that happened to the ad's price happen so many hours earlier. */
const passHours = async ({ id }: { id: string }, hours: number) => {
  const earlier = (column: string) => app.db.raw("?? - ? * interval '1 hour'", [column, hours]);
  await app
    .db('ad_prices')
    .where({ ad_id: id })
    .update({ ended_at: earlier('ended_at') });
  await app
    .db('price_drops')
    .where({ ad_id: id })
    .update({ dropped_at: earlier('dropped_at'), finished_at: earlier('finished_at') });
  await app.db.raw(
    'select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs where key = ?), run_at := now())',
    [`fan-out price_drop ${id}`],
  );
};

describe('a price is a drop', () => {
  test.each<[string, string, string[], string | undefined]>([
    ['of exactly 95 %', '100', ['95'], '100.00'],
    ['of a cent more', '100', ['95.01'], undefined],
    ['of exactly 95 % where binary fractions are above it', '0.60', ['0.57'], '0.60'],
    ['of exactly 95 % of a large price', '99999999.80', ['94999999.81'], '99999999.80'],
    ['of a cent more than 95 % of a large price', '99999999.80', ['94999999.82'], undefined],
    ['that is free', '100', ['0'], '100.00'],
    ['in two small steps: each is too small', '100', ['97', '93'], undefined],
    ['against a rise before: the lowest counts', '100', ['200', '96'], undefined],
    ['below the lowest in spite of a rise before', '100', ['200', '95'], '100.00'],
    ['that goes on falling a little', '100', ['90', '88'], '100.00'],
    ['that falls again', '100', ['90', '80'], '90.00'],
    ['until it rises', '100', ['80', '81'], undefined],
    ['from a free item: there is none', '0', ['10', '0'], undefined],
  ])('%s (%s → %j)', async (_, first, others, expected) => {
    const { ad, change, seller } = await createSale(first);
    for (const price of others) await change(price);
    expect((await seller.client.ok(getAd, { params: { id: ad.id } })).oldPrice).toBe(expected);
  });

  test('of an item that is offered, not of one that is wanted', async () => {
    const { ad, change, seller } = await createSale('100', { priceType: 'wanted' });
    const readOld = async () => (await seller.client.ok(getAd, { params: { id: ad.id } })).oldPrice;
    await change('50');
    expect(await readOld()).toBeUndefined();
    await change('40', { priceType: 'fixed' });
    expect(await readOld()).toBeUndefined();
    await change('20', { priceType: 'negotiable' });
    expect(await readOld()).toBe('40.00');
    await change('20', { priceType: 'wanted' });
    expect(await readOld()).toBeUndefined();
  });

  test.each([
    [29, undefined],
    [31, '200.00'],
  ])('compared with the prices of 30 days: the low one ended %i days ago', async (days, expected) => {
    const { ad, change, seller } = await createSale('100');
    await change('200');
    await passHours(ad, days * 24);
    await change('150');
    expect((await seller.client.ok(getAd, { params: { id: ad.id } })).oldPrice).toBe(expected);
  });
});

test('edits at the same time leave a gapless history, and the price of the last one', async () => {
  const { ad, change } = await createSale('1000');
  const prices = ['900', '800', '700', '600', '500', '400', '300', '200'];
  await Promise.all(prices.map((price) => change(price)));
  const former: string[] = await app.db('ad_prices').where({ ad_id: ad.id }).orderBy('id').pluck('price');
  const { price } = await app.db('ads').where({ id: ad.id }).first();
  expect(former[0]).toBe('1000.00');
  expect([...former.slice(1), price].sort()).toEqual(prices.map((one) => `${one}.00`).sort());
});

test('the old price is in every list for 14 days, and never on a sold ad', async () => {
  const { ad, change, seller, saver } = await createSale('100', { title: 'Quokka lamp' });
  await change('80');
  const listOldPrices = async () => [
    (await saver.client.ok(getAd, { params: { id: ad.id } })).oldPrice,
    ...(await saver.client.ok(listAds, { query: { search: 'quokka', showSold: 'true' } })).map(
      ({ oldPrice }) => oldPrice,
    ),
    ...(await saver.client.ok(listFavorites)).map(({ oldPrice }) => oldPrice),
    ...(await anonymous.ok(getProfile, { params: { username: seller.username! } })).ads.map(({ oldPrice }) => oldPrice),
  ];
  const everywhere = Array(4).fill('100.00');
  await expect.poll(listOldPrices).toEqual(everywhere);
  await passHours(ad, 14 * 24 - 1);
  await expect.poll(listOldPrices).toEqual(everywhere);
  await passHours(ad, 1);
  await expect.poll(listOldPrices).toEqual(Array(4).fill(undefined));
  await passHours(ad, -24);
  await seller.client.ok(setAdSold, { params: { id: ad.id }, body: { isSold: true } });
  await expect.poll(listOldPrices).toEqual(Array(4).fill(undefined));
});

test('the first HTML of the page carries the old price; its structured data names the price of today', async () => {
  const { ad, change } = await createSale('100');
  await change('80');
  const html = String((await anonymous.send(`/ads/${ad.id}`)).body);
  expect(html).toContain('"price":"80.00","oldPrice":"100.00"');
  const jsonLd = [...html.matchAll(/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/gs)].map(([, json]) =>
    JSON.parse(json!),
  );
  expect(jsonLd).toMatchObject([{ '@type': 'Product', offers: { price: '80.00', priceCurrency: 'USD' } }, {}]);
});

describe('a drop notifies', () => {
  test('the people who saved the ad, and not its seller', async () => {
    const { ad, change, seller, saver } = await createSale('100', { title: 'Brass lamp' });
    await save(seller, ad);
    await change('79.50');
    const late = await createPerson();
    await runJobs();
    await save(late, ad);
    await runJobs();
    expect(await listDrops(saver)).toMatchObject([
      { title: 'Price dropped: Brass lamp', body: 'Now $79.50, was $100', url: `/ads/${ad.id}` },
    ]);
    for (const person of [seller, late]) expect(await listDrops(person)).toEqual([]);
  });

  test('at most once in 24 hours: the next one waits', async () => {
    const { ad, change, saver } = await createSale('100');
    await change('90');
    await runJobs();
    for (const price of ['80', '200', '60']) {
      await change(price);
      await runJobs();
    }
    expect(await listDrops(saver)).toHaveLength(1);
    await passHours(ad, 23);
    await runJobs();
    expect(await listDrops(saver)).toHaveLength(1);
    await passHours(ad, 1);
    await runJobs();
    expect((await listDrops(saver)).map(({ body }) => body)).toEqual(['Now $60, was $80', 'Now $90, was $100']);
  });

  test('not after the price rose again', async () => {
    const { change, saver } = await createSale('100');
    await change('50');
    await change('100');
    await runJobs();
    expect(await listDrops(saver)).toEqual([]);
  });

  test.each<[string, (sale: Sale) => Promise<unknown>, (sale: Sale) => Promise<unknown>]>([
    [
      'staff approve it',
      ({ change }) => change('50', { description: 'No scam' }),
      ({ ad }) => admin.ok(setAdStatus, { params: { id: ad.id }, body: { status: 'active' } }),
    ],
    [
      'a further edit needs no review',
      ({ change }) => change('50', { description: 'No scam' }),
      ({ change }) => change('50', { description: 'As new' }),
    ],
    [
      'staff dismiss the reports that hid it',
      async ({ ad, change }) => {
        await change('50');
        const report = { targetType: 'ad', targetId: ad.id, reason: 'scam' } as const;
        await (await createPerson()).client.ok(createReport, { body: report });
      },
      async ({ ad }) => {
        const { id } = await app.db('moderation_cases').where({ target_id: ad.id }).first();
        await admin.ok(decideCase, { params: { id }, body: { action: 'dismiss', reason: 'other' } });
      },
    ],
  ])('after the review of the ad, when %s', async (_, hide, show) => {
    await admin.ok(updateSettings, { body: { ...DEFAULT_SETTINGS, bannedWords: ['scam'], reportHoldWeight: 1 } });
    const sale = await createSale('100');
    await hide(sale);
    expect(await app.db('ads').where({ id: sale.ad.id }).first()).toMatchObject({ state: 'pending' });
    await runJobs();
    expect(await listDrops(sale.saver)).toEqual([]);
    await show(sale);
    for (let run = 0; run < 2; run++) await runJobs();
    expect(await listDrops(sale.saver)).toMatchObject([{ body: 'Now $50, was $100' }]);
  });

  test('that an item is free now', async () => {
    const { change, saver } = await createSale('100');
    await change('0', { priceType: 'free' });
    await runJobs();
    expect(await listDrops(saver)).toMatchObject([{ body: 'Now Free, was $100' }]);
  });

  test.each<[string, (ad: { id: string }, seller: Person) => Promise<unknown>]>([
    ['of a sold ad', (ad, seller) => seller.client.ok(setAdSold, { params: { id: ad.id }, body: { isSold: true } })],
    ['of a hidden ad', (ad) => app.db('ads').where({ id: ad.id }).update({ state: 'pending' })],
    ['of an expired ad', (ad) => app.db('ads').where({ id: ad.id }).update({ state: 'expired' })],
    [
      'of a banned seller',
      (_, seller) => app.db('users').where({ id: seller.id }).update({ banned_at: app.db.fn.now() }),
    ],
    ['of a deleted seller', (_, seller) => seller.client.call(deleteMe)],
  ])('no one %s', async (_, hide) => {
    const { ad, change, seller, saver } = await createSale('100');
    await change('50');
    await hide(ad, seller);
    await runJobs();
    expect(await listDrops(saver)).toEqual([]);
  });

  test('no one between whom and the seller is a block, and no one who is shut out', async () => {
    const { ad, change, seller, saver } = await createSale('100');
    const [blocked, blocker, banned] = [await createPerson(), await createPerson(), await createPerson()];
    for (const person of [blocked, blocker, banned]) await save(person, ad);
    await seller.client.ok(blockUser, { params: { userId: blocked.id } });
    await blocker.client.ok(blockUser, { params: { userId: seller.id } });
    await app.db('users').where({ id: banned.id }).update({ banned_at: app.db.fn.now() });
    await change('50');
    await runJobs();
    expect(await app.db('notifications').where({ source_user_id: seller.id }).pluck('user_id')).toEqual([saver.id]);
  });

  test('each person once when two runs meet and one was interrupted', async () => {
    const { ad, change, seller } = await createSale('100');
    await app.db.raw(
      `with crowd as (
         insert into users (x_id, username, display_name)
         select (6000000 + n)::text, 'saver_' || n, 'Saver ' || n from generate_series(1, 1700) n returning id)
       insert into favorites (user_id, ad_id) select id, ? from crowd`,
      [ad.id],
    );
    await change('50');
    const receivers = () => app.db('notifications').where({ source_user_id: seller.id }).pluck<string[]>('user_id');
    // crashes after the beginning and two batches
    const failing = failAfter(app.db, 3);
    await expect(runFanOut({ db: failing }, priceDrop, ad.id)).rejects.toThrow('killed');
    expect(await receivers()).toHaveLength(1000);
    await Promise.all([1, 2, 3].map(() => runFanOut(app, priceDrop, ad.id)));
    expect(await receivers()).toHaveLength(1701);
    expect(new Set(await receivers()).size).toBe(1701);
  });

  test('also after a restore, which brings no jobs', async () => {
    const { change, saver } = await createSale('100');
    await change('50');
    await app.db.raw('delete from graphile_worker._private_jobs');
    await inTransaction(app.db, resumePriceDrops);
    await runJobs();
    expect(await listDrops(saver)).toHaveLength(1);
  });
});

test('housekeeping deletes former prices and drops that no longer count', async () => {
  const { ad, change } = await createSale('100');
  const readRows = async () => [
    await app.db('ad_prices').where({ ad_id: ad.id }).pluck('price'),
    await app.db('price_drops').where({ ad_id: ad.id }).pluck('old_price'),
  ];
  await change('90');
  await runJobs();
  await passHours(ad, 13 * 24);
  await deleteOldPrices(app.db);
  expect(await readRows()).toEqual([['100.00'], ['100.00']]);
  await passHours(ad, 2 * 24);
  await deleteOldPrices(app.db);
  expect(await readRows()).toEqual([['100.00'], []]);
  await passHours(ad, 16 * 24);
  await deleteOldPrices(app.db);
  expect(await readRows()).toEqual([[], []]);
});
