import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAd, deleteAd, getAd, renewAd, setAdSold } from '../../../contract/ads.ts';
import { answerExpiryQuestion, type ExpiryAnswer, getExpiryQuestion } from '../../../contract/expiry.ts';
import { listNotifications } from '../../../contract/notifications.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import type { Client } from '../../../test/harness/client.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { forgeLink } from '../../../test/harness/links.ts';
import { openSmtpServer } from '../../../test/harness/smtp-server.ts';
import { jobHandlers } from '../../job-handlers.ts';
import { runDueJobs } from '../../jobs/worker.ts';
import { askAboutExpiry, expireAds } from '../ads/expiry/jobs.ts';
import { listExpiryLinks, toExpiryPath } from '../notifications/expiry-links.ts';
import { signLink } from '../notifications/link-tokens.ts';

const smtp = await openSmtpServer();
let now = Date.now();
const { app, anonymous, signIn } = await openTestApp({
  env: { SMTP_URL: smtp.url },
  parts: { clock: { now: () => new Date(now) } },
});
const DAY = 86_400_000;

beforeAll(() => insertCategories(app));

let seller: { id: string; client: Client };
let id: string;
let token: string;

const endIn = async (days: number) => {
  await app.db.raw('alter table ads disable trigger user');
  await app
    .db('ads')
    .where({ id })
    .update({ expires_at: app.db.raw("now() + ? * interval '1 day'", [days]) });
  await app.db.raw('alter table ads enable trigger user');
};
const readToken = (url: string) => new URL(url).searchParams.get('token')!;
const signFor = async (hasEnded = false) => {
  const { expiresAt } = await seller.client.ok(getAd, { params: { id } });
  const path = toExpiryPath({ adId: id, endsAt: expiresAt! });
  return readToken(listExpiryLinks(app, { userId: seller.id, path, hasEnded })[0]!.url);
};
const ask = (link = token) => anonymous.call(getExpiryQuestion, { query: { token: link } });
const answer = (given: ExpiryAnswer, link = token) =>
  anonymous.call(answerExpiryQuestion, { body: { token: link, answer: given } });
const readAd = () => app.db('ads').where({ id }).first('state', 'is_sold', 'expires_at', 'updated_at');

beforeEach(async () => {
  now = Date.now();
  smtp.letters.length = 0;
  const { id: sellerId } = await insertUser(app);
  seller = { id: sellerId, client: await signIn(sellerId) };
  id = (await seller.client.ok(createAd, { body: adBody({ title: 'Oak table', priceType: 'negotiable' }) })).id;
  await endIn(2);
  token = await signFor();
});

describe('the link of a mail', () => {
  test('shows the ad without sign-in and changes nothing by itself', async () => {
    const before = await readAd();
    const { status, body } = await ask();
    expect([status, body]).toMatchObject([
      200,
      { state: 'open', ad: { id, title: 'Oak table', priceType: 'negotiable' } },
    ]);
    expect(await readAd()).toEqual(before);
  });

  test('renews the ad once: the question about that end is over', async () => {
    const responses = await Promise.all([answer('renew'), answer('renew'), answer('renew')]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    const { body } = responses.find(({ status }) => status === 200)!;
    expect((Date.parse(body.expiresAt!) - Date.now()) / DAY).toBeCloseTo(30, 2);
    expect((await ask()).body.state).toBe('renewed');
    for (const given of ['renew', 'sold', 'expire'] as const) {
      const refused = await answer(given);
      expect([refused.status, refused.body.message]).toEqual([409, 'This ad has been renewed already.']);
    }
    expect((await readAd()).is_sold).toBe(false);
  });

  test('marks the ad as sold', async () => {
    expect((await answer('sold')).body).toMatchObject({ state: 'sold' });
    expect((await readAd()).is_sold).toBe(true);
    expect((await answer('renew')).body.message).toBe('This ad is marked as sold.');
  });

  test('lets the ad expire, and settles the question', async () => {
    await askAboutExpiry(app);
    expect((await answer('expire')).body).toMatchObject({ state: 'open' });
    expect(await seller.client.ok(listNotifications)).toMatchObject([{ kind: 'ad_expiring', isRead: true }]);
    expect((await answer('renew')).status).toBe(200);
  });

  test('renews an ad that has expired meanwhile', async () => {
    await endIn(-0.01);
    token = await signFor(true);
    await expireAds(app);
    expect((await ask()).body.state).toBe('expired');
    expect((await answer('renew')).body.state).toBe('renewed');
    expect(await readAd()).toMatchObject({ state: 'active' });
  });

  test.each<[string, string, () => Promise<unknown>]>([
    ['renewed', 'This ad has been renewed already.', () => seller.client.ok(renewAd, { params: { id } })],
    [
      'sold',
      'This ad is marked as sold.',
      () => seller.client.ok(setAdSold, { params: { id }, body: { isSold: true } }),
    ],
    ['deleted', 'This ad has been deleted.', () => seller.client.ok(deleteAd, { params: { id } })],
    [
      'hidden',
      'This ad is not public at the moment, so it cannot be renewed.',
      () => app.db('ads').where({ id }).update({ state: 'inactive', taken_down: true }),
    ],
  ])('says that the ad is %s meanwhile', async (state, message, change) => {
    await change();
    const before = await readAd();
    expect((await ask()).body).toMatchObject({ state });
    const refused = await answer('renew');
    expect([refused.status, refused.body.message]).toEqual([409, message]);
    expect(await readAd()).toEqual(before);
  });

  test('tells nothing of a deleted ad', async () => {
    await seller.client.ok(deleteAd, { params: { id } });
    expect((await ask()).body.ad).toEqual({ id, title: '', price: '0.00', priceType: 'fixed', thumbUrl: null });
  });

  test('does not work for a seller who is shut out', async () => {
    await app
      .db('users')
      .where({ id: seller.id })
      .update({ suspended_until: new Date(Date.now() + DAY) });
    expect((await ask()).body.state).toBe('hidden');
    const refused = await answer('renew');
    expect([refused.status, refused.body.code]).toEqual([403, 'account_suspended']);
    await app.db('users').where({ id: seller.id }).update({ banned_at: new Date(), suspended_until: null });
    expect((await answer('sold')).body.code).toBe('account_banned');
    expect(await readAd()).toMatchObject({ is_sold: false });
  });

  test('ends after seven days', async () => {
    now += 7 * DAY - 60_000;
    expect((await ask()).status).toBe(200);
    now += 61_000;
    expect((await ask()).body.code).toBe('link_expired');
    expect((await answer('renew')).body.code).toBe('link_expired');
  });

  test('of another purpose, of another ad of another person, or forged, is refused', async () => {
    const other = await insertUser(app);
    const { expires_at: endsAt } = await readAd();
    const wrong = {
      purpose: signLink(app, 'unsubscribe', { userId: seller.id, userSince: 0, kind: 'ad_expiring' }, 60),
      forged: forgeLink(token),
      text: '<script>',
    };
    for (const link of Object.values(wrong)) {
      expect((await ask(link)).body.code).toBe('link_invalid');
      expect((await answer('renew', link)).body.code).toBe('link_invalid');
    }
    const stranger = signLink(app, 'expiry', { userId: other.id, adId: id, endsAt }, 60);
    expect((await answer('sold', stranger)).status).toBe(403);
    expect((await answer('burn' as never)).status).toBe(400);
    expect(await readAd()).toMatchObject({ is_sold: false, expires_at: endsAt });
  });
});

test('the mail has a link for each answer, and the one about the end has two', async () => {
  const address = 'sally@mail.example';
  await app.db('email_addresses').insert({ user_id: seller.id, address, uses_x: false, confirmed_at: app.db.fn.now() });
  await askAboutExpiry(app);
  await runDueJobs(app, jobHandlers);
  await endIn(-0.01);
  await expireAds(app);
  await runDueJobs(app, jobHandlers);
  const texts = smtp.letters
    .filter(({ to }) => to.includes(`<${address}>`))
    .map(({ data }) => data.replaceAll('=\n', ''));
  expect(texts).toHaveLength(2);
  const labels = ['Renew', 'Mark as Sold', 'Let it expire'];
  expect(texts.map((text) => labels.filter((label) => new RegExp(`^${label}\\r?\\nhttp`, 'm').test(text)))).toEqual([
    labels,
    labels.slice(0, 2),
  ]);
  const [, link] = /(http:\S+still-available\?answer=3Drenew&token=3D\S+)/.exec(texts[1]!)!;
  const mailed = readToken(link!.replaceAll('=3D', '='));
  expect((await ask(mailed)).body).toMatchObject({ state: 'expired', ad: { id } });
  expect((await answer('renew', mailed)).status).toBe(200);
});
