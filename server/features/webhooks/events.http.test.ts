import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { banUser, setAdStatus, unbanUser } from '../../../contract/admin.ts';
import { createAd, deleteAd, setAdPaused, setAdSold, updateAd } from '../../../contract/ads.ts';
import { sendMessage } from '../../../contract/messages.ts';
import { acceptOffer, makeOffer } from '../../../contract/offers.ts';
import { createReport } from '../../../contract/reports.ts';
import { createSavedSearch } from '../../../contract/saved-searches.ts';
import { deleteMe } from '../../../contract/users.ts';
import { updateWebhook, WEBHOOK_EVENTS, WEBHOOK_SUBJECTS, type WebhookEvent } from '../../../contract/webhooks.ts';
import { openTestApp, type Person } from '../../../test/harness/app.ts';
import { createClient } from '../../../test/harness/client.ts';
import { adBody, insertCategories, SETTLED } from '../../../test/harness/factories.ts';
import { openSession } from '../../../test/harness/sessions.ts';
import { startWebhookReceiver } from '../../../test/harness/webhook-receiver.ts';
import { addWebhook, sendDue, WEBHOOK_ENV } from '../../../test/harness/webhooks.ts';
import { jobHandlers } from '../../job-handlers.ts';
import { runDueJobs } from '../../jobs/worker.ts';
import { operator } from '../../policy.ts';
import { evict } from '../access/evict.ts';
import { createOperatorLink, recoverByLink } from '../access/recovery.ts';

const OPERATOR = operator('cli:test');
const { app, url, createPerson } = await openTestApp({ env: WEBHOOK_ENV });
const receiver = await startWebhookReceiver();
afterAll(() => receiver.close());

beforeAll(() => insertCategories(app));
beforeEach(() => {
  receiver.received.length = 0;
});

const PERSONAL: WebhookEvent[] = [
  'ad.listed',
  'ad.updated',
  'ad.sold',
  'ad.ended',
  'offer.made',
  'offer.accepted',
  'message.received',
  'search.matched',
];
const OPERATORS: WebhookEvent[] = ['ad.listed', 'ad.updated', 'ad.sold', 'ad.ended', 'report.opened', 'user.banned'];

/** A person with a webhook for all events, and how to read what it heard. */
const createHearer = async () => {
  const person = await createPerson(SETTLED);
  await addWebhook(person.client, `${receiver.url}/${person.id}`, PERSONAL);
  return person;
};
const hearEverything = async () => {
  const admin = await createPerson({ ...SETTLED, role: 'admin' });
  const { id } = await addWebhook(admin.client, `${receiver.url}/site`, OPERATORS, { of: 'site' });
  return { admin, stop: () => app.db('webhooks').where({ id }).delete() };
};
/** Runs what follows, and returns what the webhook of `who` heard since, checked against the contract. */
const hear = async (who: Person | 'site') => {
  await runDueJobs(app, jobHandlers);
  await sendDue(app);
  const path = `/hook/${who === 'site' ? who : who.id}`;
  const bodies = receiver.received.filter((request) => request.path === path).map(({ body }) => JSON.parse(body));
  for (const { type, timestamp, data, ...rest } of bodies) {
    expect(rest).toEqual({});
    expect(Number.isNaN(Date.parse(timestamp))).toBe(false);
    expect(WEBHOOK_SUBJECTS[type as WebhookEvent].parse(data)).toEqual(data);
    expect(data.url).toContain(app.config.publicUrl);
  }
  receiver.received.length = 0;
  return bodies.map(({ type, data: { url: _, ...data } }) => [type, data]);
};
const post = ({ client }: Person, fields: Parameters<typeof adBody>[0] = {}) =>
  client.ok(createAd, { body: adBody(fields) });
const params = ({ id }: { id: string }) => ({ params: { id } });

test('the events of people and of the marketplace are all there are', () => {
  expect(new Set([...PERSONAL, ...OPERATORS])).toEqual(new Set(WEBHOOK_EVENTS));
});

describe('of the own ads', () => {
  test('posted, edited, sold, available again, paused, resumed, deleted', async () => {
    const seller = await createHearer();
    const ad = await post(seller);
    const about = { adId: ad.id, sellerId: seller.id };
    expect(await hear(seller)).toEqual([['ad.listed', about]]);
    await seller.client.ok(updateAd, { ...params(ad), body: adBody({ title: 'Another title' }) });
    expect(await hear(seller)).toEqual([['ad.updated', about]]);
    await seller.client.ok(setAdSold, { ...params(ad), body: { isSold: true } });
    expect(await hear(seller)).toEqual([['ad.sold', about]]);
    await seller.client.ok(setAdSold, { ...params(ad), body: { isSold: false } });
    expect(await hear(seller)).toEqual([['ad.updated', about]]);
    await seller.client.ok(setAdPaused, { ...params(ad), body: { paused: true } });
    expect(await hear(seller)).toEqual([['ad.ended', { ...about, reason: 'paused' }]]);
    await seller.client.ok(updateAd, { ...params(ad), body: adBody({ title: 'Changed while it is paused' }) });
    expect(await hear(seller)).toEqual([]);
    await seller.client.ok(setAdPaused, { ...params(ad), body: { paused: false } });
    expect(await hear(seller)).toEqual([['ad.updated', about]]);
    await seller.client.ok(deleteAd, params(ad));
    expect(await hear(seller)).toEqual([['ad.ended', { ...about, reason: 'deleted' }]]);
  });

  test('ended by time and by staff; approved', async () => {
    const [seller, admin] = [await createHearer(), await createPerson({ role: 'admin' })];
    const [expired, removed] = [await post(seller), await post(seller, { title: 'Removed', description: 'Other' })];
    await hear(seller);
    await app.db('ads').where({ id: expired.id }).update({ expires_at: '2026-01-01' });
    await runDueJobs(app, jobHandlers);
    await jobHandlers['expire-ads'](app, {}, { attempt: 1, maxAttempts: 1, signal: new AbortController().signal });
    expect(await hear(seller)).toEqual([['ad.ended', { adId: expired.id, sellerId: seller.id, reason: 'expired' }]]);
    await admin.client.ok(setAdStatus, { ...params(removed), body: { status: 'inactive', reason: 'Not allowed' } });
    expect(await hear(seller)).toEqual([['ad.ended', { adId: removed.id, sellerId: seller.id, reason: 'removed' }]]);
    const waiting = await post(seller, { title: 'Lute, no scam', description: 'It waits' });
    expect([waiting.state, await hear(seller)]).toEqual(['pending', []]);
    await admin.client.ok(setAdStatus, { ...params(waiting), body: { status: 'active' } });
    expect(await hear(seller)).toEqual([['ad.listed', { adId: waiting.id, sellerId: seller.id }]]);
  });

  test("another person's are not heard, nor events that were not chosen", async () => {
    const [seller, other] = [await createPerson(SETTLED), await createHearer()];
    await addWebhook(seller.client, `${receiver.url}/${seller.id}`, ['ad.sold']);
    const ad = await post(seller);
    await seller.client.ok(setAdSold, { ...params(ad), body: { isSold: true } });
    expect(await hear(other)).toEqual([]);
    await seller.client.ok(setAdSold, { ...params(ad), body: { isSold: false } });
    await seller.client.ok(setAdSold, { ...params(ad), body: { isSold: true } });
    expect(await hear(seller)).toEqual([['ad.sold', { adId: ad.id, sellerId: seller.id }]]);
  });

  test('a rolled back change is not told', async () => {
    const seller = await createHearer();
    const ad = await post(seller);
    await hear(seller);
    const trx = await app.db.transaction();
    await trx('ads').where({ id: ad.id }).update({ is_sold: true, sold_at: trx.fn.now() });
    await trx.rollback();
    expect(await hear(seller)).toEqual([]);
  });
});

describe('of deals', () => {
  test('messages by id, offers with their amount, an acceptance to both', async () => {
    const [seller, buyer] = [await createHearer(), await createHearer()];
    const ad = await post(seller, { priceType: 'negotiable' });
    await hear(seller);
    const to = { adId: ad.id, receiverId: seller.id };
    const message = await buyer.client.ok(sendMessage, { body: { ...to, content: 'A secret word' } });
    await runDueJobs(app, jobHandlers);
    await sendDue(app);
    expect(JSON.stringify(receiver.received)).not.toContain('secret word');
    const about = { adId: ad.id, personId: buyer.id };
    expect(await hear(seller)).toEqual([['message.received', { ...about, messageId: message.id }]]);
    const offered = await buyer.client.ok(makeOffer, { body: { ...to, amount: 40 } });
    const offer = { offerId: offered.offer!.id, messageId: offered.id, amount: '40.00', currency: 'USD' };
    expect(await hear(seller)).toEqual([['offer.made', { ...about, ...offer }]]);
    await seller.client.ok(acceptOffer, params({ id: offered.offer!.id }));
    await runDueJobs(app, jobHandlers);
    await sendDue(app);
    const accepted = receiver.received.map(({ path, body }) => [path, JSON.parse(body).data]);
    const url = (id: string) => `${app.config.publicUrl}/messages/${ad.id}/${id}`;
    expect(new Map(accepted as [string, unknown][])).toEqual(
      new Map([
        [`/hook/${seller.id}`, { ...about, ...offer, url: url(buyer.id) }],
        [`/hook/${buyer.id}`, { ...about, ...offer, personId: seller.id, url: url(seller.id) }],
      ]),
    );
  });

  test('a saved search that a new ad matches', async () => {
    const [seller, buyer] = [await createPerson(SETTLED), await createHearer()];
    const body = { name: 'Zithers', frequency: 'never' as const, filters: { search: 'zither' } };
    const search = await buyer.client.ok(createSavedSearch, { body });
    const ad = await post(seller, { title: 'Old zither' });
    expect(await hear(buyer)).toEqual([['search.matched', { searchId: search.id, adId: ad.id }]]);
  });
});

describe('of the marketplace', () => {
  test("everybody's ads, the first report of a case, bans", async () => {
    const { admin, stop } = await hearEverything();
    const [seller, first, second] = [
      await createPerson(SETTLED),
      await createPerson(SETTLED),
      await createPerson(SETTLED),
    ];
    const ad = await post(seller);
    expect(await hear('site')).toEqual([['ad.listed', { adId: ad.id, sellerId: seller.id }]]);
    const report = { targetType: 'ad' as const, targetId: ad.id, reason: 'scam' as const };
    for (const { client } of [first, second, first]) await client.ok(createReport, { body: report });
    const caseId = (await app.db('moderation_cases').where({ target_id: ad.id }).first('id'))!.id;
    expect(await hear('site')).toEqual([['report.opened', { caseId, targetType: 'ad', targetId: ad.id }]]);
    await admin.client.ok(banUser, { ...params(seller), body: { reason: 'Sells nothing' } });
    expect(await hear('site')).toEqual([
      ['ad.ended', { adId: ad.id, sellerId: seller.id, reason: 'account' }],
      ['user.banned', { userId: seller.id }],
    ]);
    await stop();
  });

  test('a case that opens with two reports of one person at once is told once', async () => {
    const { stop } = await hearEverything();
    for (let round = 0; round < 6; round++) {
      const [person, reporter] = [await createPerson(SETTLED), await createPerson(SETTLED)];
      const body = { targetType: 'user', targetId: person.id, reason: 'scam' } as const;
      await Promise.all([1, 2, 3].map(() => reporter.client.ok(createReport, { body })));
      expect((await hear('site')).map(([type]) => type)).toEqual(['report.opened']);
    }
    await stop();
  });
});

describe('of who is out', () => {
  test('a banned person hears nothing, not even what happened before; after the ban the rest', async () => {
    const [seller, admin] = [await createHearer(), await createPerson({ role: 'admin' })];
    await post(seller);
    await runDueJobs(app, Object.assign({}, jobHandlers, { 'send-webhooks': async () => {} }));
    await admin.client.ok(banUser, { ...params(seller), body: { reason: 'Sells nothing' } });
    expect(await hear(seller)).toEqual([]);
    await admin.client.ok(unbanUser, params(seller));
    expect((await hear(seller)).map(([type]) => type)).toEqual(['ad.listed', 'ad.updated']);
  });

  test.each([
    ['an eviction by the operator', (id: string) => evict(app, OPERATOR, id)],
    [
      'a recovery',
      async (id: string) => recoverByLink(app, (await createOperatorLink(app, OPERATOR, id)).split('#token=')[1]!),
    ],
  ])('%s switches off, until the person switches on what they know', async (_, secure) => {
    const seller = await createHearer();
    const { id } = (await app.db('webhooks').where({ user_id: seller.id }).first())!;
    await post(seller);
    await runDueJobs(app, Object.assign({}, jobHandlers, { 'send-webhooks': async () => {} }));
    await secure(seller.id);
    expect(await hear(seller)).toEqual([]);
    const back = createClient(url, { Cookie: await openSession(app, seller.id) });
    await back.ok(updateWebhook, { ...params({ id }), body: { isOn: true } });
    const ad = await back.ok(createAd, { body: adBody({ title: 'After it' }) });
    expect(await hear(seller)).toEqual([['ad.listed', { adId: ad.id, sellerId: seller.id }]]);
  });

  test('a deleted account has no webhooks', async () => {
    const seller = await createHearer();
    await post(seller);
    await seller.client.ok(deleteMe);
    expect(await hear(seller)).toEqual([]);
    expect(await app.db('webhooks').where({ user_id: seller.id })).toEqual([]);
  });
});
