import { beforeAll, expect, test } from 'vitest';
import { createAd, getAd, renewAd, setAdSold, updateAd } from '../../../contract/ads.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { makePhoto, toDataUrl } from '../../../test/harness/photos.ts';
import { createAppContext } from '../../app-context.ts';
import { jobHandlers } from '../../job-handlers.ts';
import { runDueJobs } from '../../jobs/worker.ts';
import { expireAds } from './expiry/jobs.ts';
import { findPage } from './search/repository.ts';
import { countWords } from './search/words-repository.ts';

const { app, anonymous, signIn } = await openTestApp();

beforeAll(() => insertCategories(app));

const createSeller = async () => signIn((await insertUser(app)).id);
// past the server's cache of a second
const listed = async () => (await findPage(app.db, {}, { limit: 100 })).ids;

test('an unsold ad past its day expires and leaves the lists; its owner still sees it', async () => {
  const client = await createSeller();
  const { id } = await client.ok(createAd, { body: adBody() });
  const { id: kept } = await client.ok(createAd, { body: adBody() });
  await app.db.raw('alter table ads disable trigger user');
  await app.db('ads').where({ id }).update({ expires_at: '2020-01-01' });
  await app.db.raw('alter table ads enable trigger user');
  await expireAds(app);
  expect(await listed()).toEqual([kept]);
  expect((await anonymous.call(getAd, { params: { id } })).status).toBe(404);
  expect(await client.ok(getAd, { params: { id } })).toMatchObject({ state: 'expired', isActive: false });
});

test('an ad that is edited between its expiry and the next run of the job is expired and can be renewed', async () => {
  const client = await createSeller();
  const ads = await Promise.all(
    ['Edited', 'Priced', 'Untouched'].map((title) => client.ok(createAd, { body: adBody({ title }) })),
  );
  await app.db.raw('alter table ads disable trigger user');
  await app
    .db('ads')
    .whereIn(
      'id',
      ads.map(({ id }) => id),
    )
    .update({ expires_at: '2020-01-01' });
  await app.db.raw('alter table ads enable trigger user');
  const edits = [adBody({ title: 'Edited again' }), adBody({ title: 'Priced', price: '1' })];
  for (const [i, body] of edits.entries())
    expect(await client.ok(updateAd, { params: { id: ads[i]!.id }, body })).toMatchObject({ state: 'expired' });
  await expireAds(app);
  for (const { id } of ads) {
    expect(await client.ok(renewAd, { params: { id } })).toMatchObject({ state: 'active', isActive: true });
    expect(await listed()).toContain(id);
  }
});

test('an ad past its expiry can be renewed before the job has run', async () => {
  const client = await createSeller();
  const { id } = await client.ok(createAd, { body: adBody() });
  await app.db.raw('alter table ads disable trigger user');
  await app.db('ads').where({ id }).update({ expires_at: '2020-01-01' });
  await app.db.raw('alter table ads enable trigger user');
  expect(await client.ok(renewAd, { params: { id } })).toMatchObject({ state: 'active' });
  await expireAds(app);
  expect(await listed()).toContain(id);
});

test('a sold ad leaves the lists after its days, its page stays', async () => {
  const client = await createSeller();
  const { id } = await client.ok(createAd, { body: adBody() });
  await client.ok(setAdSold, { params: { id }, body: { isSold: true } });
  await expireAds(app);
  expect(await listed()).toContain(id);
  await app.db.raw('alter table ads disable trigger user');
  await app.db('ads').where({ id }).update({ sold_listed_until: '2020-01-01', expires_at: '2020-01-01' });
  await app.db.raw('alter table ads enable trigger user');
  await expireAds(app);
  expect(await listed()).not.toContain(id);
  expect(await anonymous.ok(getAd, { params: { id } })).toMatchObject({ isSold: true, isActive: true });
  expect(await client.ok(setAdSold, { params: { id }, body: { isSold: false } })).toMatchObject({ state: 'expired' });
});

test('words are counted again, and those in no ad are removed', async () => {
  const client = await createSeller();
  for (let i = 0; i < 3; i++) await client.ok(createAd, { body: adBody({ title: `Zither ${i}` }) });
  await app.db('search_words').insert({ word: 'gone', stem: 'gone', ads: 9 });
  await countWords(app.jobsDb);
  expect(await app.db('search_words').where({ word: 'zither' }).first()).toMatchObject({
    word: 'zither',
    stem: 'zither',
    ads: 3,
  });
  expect(await app.db('search_words').where({ word: 'gone' })).toEqual([]);
  // what plans go by
  const [known] = await app.db('pg_class').where({ relname: 'search_words' }).select('reltuples');
  expect(known).toEqual({ reltuples: (await app.db('search_words').pluck('word')).length });
});

test('the count may take longer than a request waits for a statement', async () => {
  await app.db.raw(`
    create function sleep() returns trigger language plpgsql as 'begin perform pg_sleep(1); return null; end';
    create trigger slow after update on search_words for each statement execute function sleep();
    update search_words set ads = 1`);
  const connection = { name: 'impatient', statementTimeout: 200, clientTimeout: 500 };
  const impatient = createAppContext(app.config, { log: app.log, connection });
  await app.db.raw("select graphile_worker.add_job('count-search-words', '{}'::json)");
  const results = await runDueJobs(impatient, jobHandlers);
  await impatient.close();
  await app.db.raw('drop trigger slow on search_words');
  expect(results.filter(({ name }) => name === 'count-search-words')).toMatchObject([{ status: 'done' }]);
  expect(await app.db('search_words').where({ word: 'zither' }).first('ads')).toEqual({ ads: 3 });
});

test('the image for link previews is made after the ad was posted', async () => {
  const client = await createSeller();
  const imageUrls = [toDataUrl(await makePhoto({ width: 300, height: 300, seed: 9 }))];
  const ad = await client.ok(createAd, { body: adBody({ imageUrls }) });
  await runDueJobs(app, jobHandlers);
  const sha256 = Buffer.from(/media\/(\w+)\//.exec(ad.imageUrls[0]!)![1]!, 'hex');
  expect(await app.db('image_blobs').where({ sha256, variant: 'card' })).toHaveLength(1);
});
