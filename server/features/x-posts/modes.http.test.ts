import { expect, test } from 'vitest';
import { createAd } from '../../../contract/ads.ts';
import * as api from '../../../contract/x-posting.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';

const open = async (mode: string) => {
  const site = await openTestApp({ env: { X_POSTING: mode, LOCALES: 'en,de' } });
  await insertCategories(site.app);
  return { ...site, client: await site.signIn((await insertUser(site.app)).id) };
};
const intent = await open('intent');
const off = await open('off');
const POST_START = '/api/auth/twitter/post';

test("by intent, a new ad offers X's composer with the text that would be posted, and nothing is queued", async () => {
  const fields = { title: 'Lamp', price: '9.50' };
  const ad = await intent.client.ok(createAd, { body: adBody({ ...fields, postToX: true }) });
  const { text } = await intent.client.ok(api.previewXPost, { body: fields });
  const url = new URL(ad.intentUrl ?? '');
  expect(url.origin + url.pathname).toBe('https://x.com/intent/tweet');
  expect(url.searchParams.get('text')).toBe(text.replace('…', ad.id));
  expect(ad.postedToX).toBe(false);
  expect(await intent.app.db('x_posts')).toEqual([]);
});

test('by intent, an ad in review offers nothing yet', async () => {
  const ad = await intent.client.ok(createAd, { body: adBody({ title: 'No scam' }) });
  expect(ad).toMatchObject({ state: 'pending', intentUrl: null });
});

test('off is off', async () => {
  const ad = await off.client.ok(createAd, { body: adBody({ postToX: true }) });
  expect(ad).toMatchObject({ postedToX: false, intentUrl: null });
  expect(await off.client.ok(api.getXPosting)).toMatchObject({ mode: 'off', status: 'none' });
});

test('what became of a post is said in the language of whoever reads it', async () => {
  const { id } = await off.client.ok(createAd, { body: adBody() });
  const { user_id } = (await off.app.db('ads').where({ id }).first())!;
  const post = { user_id, ad_id: id, kind: 'ad' as const, body: 'Lamp' };
  await off.app.db('x_posts').insert({ ...post, status: 'failed', error: 'locked' });
  const read = async (language: string) => {
    const headers = { 'Accept-Language': language };
    return (await off.client.ok(api.listXPosts, { params: { id }, headers }))[0]!.reason;
  };
  expect(await read('de')).toBe('X hat das Konto vorübergehend gesperrt. Melde dich bei X an, um es zu entsperren.');
  expect(await read('en')).toBe('X has locked the account for now. Sign in to X to unlock it.');
});

test('the consent for posting can be given only where the site posts', async () => {
  for (const { client } of [intent, off]) {
    expect((await client.send(POST_START)).status).toBe(404);
    expect((await client.call(api.setXPosting, { body: { favorites: true } })).status).toBe(409);
  }
});
