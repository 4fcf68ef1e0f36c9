import { beforeEach, describe, expect, test } from 'vitest';
import { createAd, deleteAd, setAdSold } from '../../../contract/ads.ts';
import { getMe } from '../../../contract/auth.ts';
import { toggleFavorite } from '../../../contract/favorites.ts';
import * as api from '../../../contract/x-posting.ts';
import { createClient } from '../../../test/harness/client.ts';
import { adBody, insertUser } from '../../../test/harness/factories.ts';
import { MAYA, openPostingSite, TOM } from '../../../test/harness/posting.ts';
import { openToken } from '../../../test/harness/sessions.ts';

const site = await openPostingSite();
const { app, sandbox, control, createPerson, postAd, findPost, runJobs } = site;
beforeEach(site.reset);

const posts = () => sandbox.state.posts;

test('an ad with the box ticked is posted, word for word as previewed, and its seller sees where', async () => {
  const maya = await createPerson();
  const fields = { title: 'Lamp @home, #nice & ASP.NET', price: '1200' };
  const { text } = await maya.ok(api.previewXPost, { body: fields });
  const ad = await postAd(maya, fields);
  expect(ad.postedToX).toBe(true);
  expect(posts()).toEqual([]);
  await runJobs();
  expect(posts().map((p) => p.text)).toEqual([text.replace('…', ad.id)]);
  expect(posts()[0]?.text).toBe(`For sale: Lamp home, nice & ASP. NET — $1,200\n${site.url}/ads/${ad.id}`);
  const [seen] = await maya.ok(api.listXPosts, { params: { id: ad.id } });
  expect(seen).toMatchObject({ status: 'posted', text: posts()[0]?.text, reason: null, canRetry: false });
  expect(await (await fetch(seen?.url ?? '')).text()).toContain('For sale: Lamp home');
});

test('ticking the box is the consent; the choice is remembered, and unticking takes back nothing already given', async () => {
  const maya = await createPerson();
  expect(await maya.ok(api.getXPosting)).toMatchObject({ wantsPost: false, adsSince: null });
  await postAd(maya);
  const { adsSince } = await maya.ok(api.getXPosting);
  expect(Date.parse(adsSince ?? '')).toBeGreaterThan(Date.now() - 60_000);
  const plain = await maya.ok(createAd, {
    body: { title: 'No post', description: 'x', price: '1', category: 'other' },
  });
  expect(plain).toMatchObject({ postedToX: false, intentUrl: null });
  expect(await maya.ok(api.getXPosting)).toMatchObject({ wantsPost: false, adsSince });
});

test('a program neither consents for its person nor makes their choice, and posts what they agreed to', async () => {
  const maya = await createPerson();
  const { id } = await maya.ok(getMe);
  const program = createClient(site.url, { Authorization: await openToken(app, id) });
  expect(await postAd(program)).toMatchObject({ postedToX: false });
  expect(await maya.ok(api.getXPosting)).toMatchObject({ wantsPost: false, adsSince: null });
  await postAd(maya);
  const agreed = await maya.ok(api.getXPosting);
  expect(agreed).toMatchObject({ wantsPost: true, adsSince: expect.any(String) });
  await program.ok(createAd, { body: adBody() });
  expect(await postAd(program)).toMatchObject({ postedToX: true });
  expect(await maya.ok(api.getXPosting)).toEqual(agreed);
  await runJobs();
  expect(posts()).toHaveLength(2);
});

test('without a connection the ad is made, not posted, and says so', async () => {
  const maya = await createPerson(MAYA, { forPosting: false });
  expect(await postAd(maya)).toMatchObject({ postedToX: false });
  await runJobs();
  expect(await app.db('x_posts')).toEqual([]);
});

test('X away: the ad is made all the same', async () => {
  const maya = await createPerson();
  await control('faults', { kind: 'drop-before', times: 100 });
  expect(await postAd(maya)).toMatchObject({ postedToX: true });
});

test('a favorite is posted only by consent, once per person and ad for ever', async () => {
  const [maya, tom] = [await createPerson(), await createPerson(TOM)];
  const { id } = await postAd(maya);
  await runJobs();
  const toggle = () => tom.ok(toggleFavorite, { params: { id } });
  expect(await toggle()).toEqual({ isFavorited: true, postedToX: false });
  await toggle();
  await tom.ok(api.setXPosting, { body: { favorites: true } });
  expect(await toggle()).toEqual({ isFavorited: true, postedToX: true });
  await runJobs();
  await toggle();
  expect(await toggle()).toEqual({ isFavorited: true, postedToX: false });
  await runJobs();
  const byTom = posts().filter((p) => p.userId === TOM);
  expect(byTom.map((p) => p.text)).toEqual([expect.stringMatching(/^Saved this ad: Kettle \d+ — \$15\n/)]);
  expect(byTom[0]?.text).not.toContain('@');
});

test('neither ads nor favorites wait while X renews the tokens', async () => {
  const maya = await createPerson();
  await postAd(maya);
  const { id } = await maya.ok(createAd, { body: adBody() });
  await maya.ok(api.setXPosting, { body: { favorites: true } });
  const renewing = await app.db.transaction();
  await renewing('x_accounts').forUpdate();
  expect(await postAd(maya)).toMatchObject({ postedToX: true });
  expect(await maya.ok(toggleFavorite, { params: { id } })).toMatchObject({ isFavorited: true, postedToX: true });
  await renewing.rollback();
});

test('at most ten posts a day of one person', async () => {
  const maya = await createPerson();
  const queued = [];
  for (let n = 0; n < 12; n++) queued.push((await postAd(maya)).postedToX);
  expect(queued.filter(Boolean)).toHaveLength(10);
  expect(queued.slice(10)).toEqual([false, false]);
});

test('at most five favorites of one ad a day, also when seven people save it at once', async () => {
  const maya = await createPerson();
  const { id } = await postAd(maya);
  const [seal] = await app.db('x_accounts');
  const people = await Promise.all(Array.from({ length: 7 }, () => insertUser(app)));
  for (const person of people)
    await app
      .db('x_accounts')
      .insert({ ...seal, user_id: person.id, x_id: person.x_id, autopost_favorites_at: new Date() });
  const clients = await Promise.all(people.map((person) => site.signIn(person.id)));
  const answers = await Promise.all(clients.map((client) => client.ok(toggleFavorite, { params: { id } })));
  expect(answers.filter((a) => a.isFavorited)).toHaveLength(7);
  expect(answers.filter((a) => a.postedToX)).toHaveLength(5);
});

describe('between queueing and sending', () => {
  const cases: [string, string, (ad: string, maya: Awaited<ReturnType<typeof createPerson>>) => Promise<unknown>][] = [
    ['consent withdrawn', 'consent withdrawn', (_ad, maya) => maya.ok(api.setXPosting, { body: { ads: false } })],
    ['account disconnected', 'disconnected', (_ad, maya) => maya.ok(api.disconnectX)],
    ['ad deleted', 'ad not available', (id, maya) => maya.ok(deleteAd, { params: { id } })],
    ['ad sold', 'ad not available', (id, maya) => maya.ok(setAdSold, { params: { id }, body: { isSold: true } })],
    ['ad taken down', 'ad not available', (id) => app.db('ads').where({ id }).update({ state: 'inactive' })],
    [
      'seller banned',
      'account suspended',
      () => app.db('users').where({ x_id: MAYA }).update({ banned_at: new Date() }),
    ],
  ];
  test.each(cases)('%s: nothing is sent', async (_name, error, change) => {
    const maya = await createPerson();
    const { id } = await postAd(maya);
    await change(id, maya);
    await runJobs();
    await app.db('users').where({ x_id: MAYA }).update({ banned_at: null });
    expect(await findPost(id)).toMatchObject({ status: 'skipped', error });
    expect(posts()).toEqual([]);
  });

  test('a favorite taken back is not posted', async () => {
    const [maya, tom] = [await createPerson(), await createPerson(TOM)];
    const { id } = await postAd(maya);
    await tom.ok(api.setXPosting, { body: { favorites: true } });
    await tom.ok(toggleFavorite, { params: { id } });
    await tom.ok(toggleFavorite, { params: { id } });
    await runJobs();
    expect(posts().filter((p) => p.userId === TOM)).toEqual([]);
  });

  test('an ad in review waits until it is approved', async () => {
    const maya = await createPerson();
    const { id } = await postAd(maya, { title: 'Not a scam' });
    await runJobs();
    expect([posts(), (await findPost(id)).status]).toEqual([[], 'pending']);
    await app.db('ads').where({ id }).update({ state: 'active' });
    await app.db.raw("update x_posts set updated_at = now() - interval '10 minutes'");
    await app.db.raw("select graphile_worker.add_job('sweep-x-posts', payload := '{}'::json)");
    await runJobs();
    expect((await findPost(id)).status).toBe('posted');
  });
});

test('strangers see nothing of a post, administrators all of it', async () => {
  const [maya, tom] = [await createPerson(), await createPerson(TOM)];
  const { id } = await postAd(maya);
  await tom.ok(api.setXPosting, { body: { favorites: true } });
  await tom.ok(toggleFavorite, { params: { id } });
  expect((await tom.call(api.listXPosts, { params: { id } })).status).toBe(404);
  expect((await site.anonymous.call(api.listXPosts, { params: { id } })).status).toBe(401);
  expect(await maya.ok(api.listXPosts, { params: { id } })).toMatchObject([{ kind: 'ad' }]);
  const admin = await site.signIn((await insertUser(app, { role: 'admin' })).id);
  expect(await admin.ok(api.listXPosts, { params: { id } })).toMatchObject([{ kind: 'ad' }, { kind: 'favorite' }]);
  expect((await admin.call(api.retryXPost, { params: { id } })).status).toBe(404);
});

test('a post says what its ad says when it is sent', async () => {
  const maya = await createPerson();
  const { id } = await postAd(maya, { title: 'Lamp', price: '10' });
  await app.db('ads').where({ id }).update({ price: '12.34' });
  await runJobs();
  expect(posts().map(({ text }) => text)).toEqual([expect.stringContaining('$12.34')]);
  expect(await maya.ok(api.listXPosts, { params: { id } })).toMatchObject([{ text: posts()[0]!.text }]);
});

test('the words of a post go with its ad, also those of a person who saved it', async () => {
  const [maya, tom] = [await createPerson(), await createPerson(TOM)];
  await tom.ok(api.setXPosting, { body: { favorites: true } });
  const { id } = await postAd(maya, { title: 'My secret lamp' });
  await tom.ok(toggleFavorite, { params: { id } });
  await runJobs();
  const bodies = () => app.db('x_posts').where({ ad_id: id }).orderBy('id').pluck('body');
  expect(await bodies()).toEqual([expect.stringContaining('secret lamp'), expect.stringContaining('secret lamp')]);
  await maya.ok(deleteAd, { params: { id } });
  expect(await bodies()).toEqual(['', '']);
});
