import { readFileSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAd, deleteAd, setAdPaused, setAdSold, updateAd } from '../../../contract/ads.ts';
import { t } from '../../../contract/i18n.ts';
import { sendMessage } from '../../../contract/messages.ts';
import { makeOffer } from '../../../contract/offers.ts';
import { createReport } from '../../../contract/reports.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import type { Client } from '../../../test/harness/client.ts';
import { adBody, insertCategories } from '../../../test/harness/factories.ts';
import { inTransaction } from '../../db/transaction.ts';
import { DEFAULT_SETTINGS, writeSettings } from '../settings/repository.ts';
import { X_AGE_PURPOSES } from './gates.ts';
import { listSimilarAds } from './repository.ts';

const { app, createPerson } = await openTestApp();
const SETTINGS_TEXTS = 'messages/en/settings.json';
type Answer = { status: number; body: { message?: string } };

beforeAll(() => insertCategories(app));

const set = (settings: Partial<typeof DEFAULT_SETTINGS>) =>
  inTransaction(app.db, (trx) => writeSettings(trx, { ...DEFAULT_SETTINGS, ...settings }, null));
beforeEach(() => set({}));

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const statuses = (answers: readonly { status: number }[]) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);

describe('ads of a new account', () => {
  const post = (client: Client) => client.call(createAd, { body: adBody() });

  test('are limited a day, also when they are posted at once; the refusal says when the next one may come', async () => {
    await set({ newAccountAdsPerDay: 3 });
    const { id, client } = await createPerson();
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(client)));
    expect(statuses(answers)).toEqual([201, 201, 201, 429, 429, 429]);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.body).toMatchObject({
      code: 'rate_limited',
      message: 'In its first 7 days an account can post 3 ads a day. You can post the next one in 24 hours.',
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000);
    // a deleted ad counts
    await client.ok(deleteAd, { params: { id: answers.find(({ status }) => status === 201)!.body.id } });
    expect((await post(client)).status).toBe(429);
    await app
      .db('ads')
      .where({ user_id: id })
      .update({ created_at: daysAgo(1.01) });
    expect((await post(client)).status).toBe(201);
  });

  test('have a limit of 10 by default; an account of seven days and staff have none', async () => {
    const [fresh, old, admin] = [
      await createPerson(),
      await createPerson({ created_at: daysAgo(7.01) }),
      await createPerson({ role: 'admin' }),
    ];
    for (const { client } of [fresh, old, admin])
      for (let n = 0; n < 10; n++) await client.ok(createAd, { body: adBody() });
    expect(await Promise.all([fresh, old, admin].map(async ({ client }) => (await post(client)).status))).toEqual([
      429, 201, 201,
    ]);
  });

  test('have no limit when it is switched off', async () => {
    await set({ newAccountAdsPerDay: 0 });
    const { client } = await createPerson();
    for (let n = 0; n < 12; n++) await client.ok(createAd, { body: adBody() });
  });
});

describe('an ad that is similar to another one on the market of the same seller', () => {
  const text = { title: 'Garden table, oak, 120 cm', description: 'Two years old, stood inside in winter.' };
  const body = (fields = {}) => adBody({ ...text, ...fields });

  test('is refused, with the path of that ad', async () => {
    const { client } = await createPerson();
    const { id } = await client.ok(createAd, { body: body() });
    const refused = await client.call(createAd, { body: body({ title: 'GARDEN TABLE (oak) 120 cm!', price: '1' }) });
    expect([refused.status, refused.body.message, refused.body.fields]).toEqual([
      409,
      'You already have a similar ad.',
      { similarAd: `/ads/${id}` },
    ]);
  });

  test('is refused if that ad is paused: it would come back without being compared', async () => {
    const { client } = await createPerson();
    const { id } = await client.ok(createAd, { body: body() });
    await client.ok(setAdPaused, { params: { id }, body: { paused: true } });
    const refused = await client.call(createAd, { body: body() });
    expect([refused.status, refused.body.fields]).toEqual([409, { similarAd: `/ads/${id}` }]);
  });

  test('is refused once if it is sent twice at once', async () => {
    const { client } = await createPerson();
    const answers = await Promise.all([1, 2, 3].map(() => client.call(createAd, { body: body() })));
    expect(statuses(answers)).toEqual([201, 409, 409]);
  });

  test.each([
    ['has another number', { title: 'Garden table, oak, 140 cm' }],
    ['has another text', { description: 'A different thing altogether, made of steel and glass.' }],
  ])('is accepted if it %s', async (_, fields) => {
    const { client } = await createPerson();
    await client.ok(createAd, { body: body() });
    await client.ok(createAd, { body: body(fields) });
  });

  test.each([
    ['sold', (client: Client, id: string) => client.ok(setAdSold, { params: { id }, body: { isSold: true } })],
    ['deleted', (client: Client, id: string) => client.ok(deleteAd, { params: { id } })],
  ])('is accepted if that ad was %s', async (_, end) => {
    const { client } = await createPerson();
    const { id } = await client.ok(createAd, { body: body() });
    await end(client, id);
    await client.ok(createAd, { body: body() });
  });

  test('is found among ads of all lengths: as many as a comparison with each of them finds', async () => {
    const { id: user_id } = await createPerson();
    const { id: category_id } = await app.db('categories').first('id');
    const words = Array.from({ length: 40 }, (_, i) => `word${'abcdefghij'[i % 10]}${'klmn'[i % 4]}`);
    const texts = words.map((_, i) => ({ title: 'Garden table', description: words.slice(0, i + 1).join(' ') }));
    await app
      .db('ads')
      .insert(
        texts.map((text) => ({ ...text, user_id, category_id, price: '1', state: 'active', expires_at: '2099-01-01' })),
      );
    const found: number[] = [];
    for (const text of texts) {
      const similar = await inTransaction(app.db, (trx) => listSimilarAds(trx, user_id, text));
      const all = await app
        .db('ads')
        .where({ user_id })
        .whereRaw("similarity(title || ' ' || description, ?) >= 0.8::real", [`${text.title} ${text.description}`])
        .orderBy('id', 'desc')
        .pluck('id');
      expect(similar.map(({ id }) => id)).toEqual(all);
      found.push(all.length);
    }
    expect(Math.min(...found)).toBeLessThan(3);
    expect(Math.max(...found)).toBeGreaterThan(3);
  });

  test('is found in another spelling of its words', async () => {
    const { client } = await createPerson();
    const description = 'It worked well for us, but we move next week and the new kitchen has one already.';
    const texts = { title: 'T-shirt press, like new', description: `${description} Für Bücher, too.` };
    const { id } = await client.ok(createAd, { body: adBody(texts) });
    const other = { title: 'TSHIRT press like-new', description: `${description} Fuer Buecher too` };
    const { status, body } = await client.call(createAd, { body: adBody(other) });
    expect([status, body.fields]).toEqual([409, { similarAd: `/ads/${id}` }]);
  });

  test('is posted after a question, until three of them are on the market', async () => {
    const { client } = await createPerson();
    const post = (confirmSimilar?: boolean) =>
      client.call(createAd, {
        body: adBody({
          title: 'Garden chair',
          description: 'Teak, with a cushion',
          ...(confirmSimilar && { confirmSimilar }),
        }),
      });
    const first = await client.ok(createAd, {
      body: adBody({ title: 'Garden chair', description: 'Teak, with a cushion' }),
    });
    const asked = await post();
    expect([asked.status, asked.body.code, asked.body.fields]).toEqual([
      409,
      'similar_ad',
      { similarAd: `/ads/${first.id}` },
    ]);
    expect([(await post(true)).status, (await post()).status, (await post(true)).status]).toEqual([201, 409, 201]);
    const refused = await post(true);
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      409,
      'conflict',
      'You already have a similar ad.',
    ]);
  });

  test("is accepted as another seller's ad, and as the result of an edit", async () => {
    const [one, other] = [await createPerson(), await createPerson()];
    await one.client.ok(createAd, { body: body() });
    await other.client.ok(createAd, { body: body() });
    const { id } = await one.client.ok(createAd, { body: adBody() });
    await one.client.ok(updateAd, { params: { id }, body: body() });
  });
});

const createSellers = (count: number, fields = {}) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const { id, client } = await createPerson();
      return { id, client, ad: await client.ok(createAd, { body: adBody(fields) }) };
    }),
  );
type Seller = Awaited<ReturnType<typeof createSellers>>[number];
const write = (client: Client, { id, ad }: Seller, content: string) =>
  client.call(sendMessage, { body: { adId: ad.id, receiverId: id, content } });

const offer = (client: Client, { id, ad }: Seller) =>
  client.call(makeOffer, { body: { adId: ad.id, receiverId: id, amount: '10.00' } });

describe('new conversations', () => {
  test('are limited an hour, also when they are started at once; the ones that exist go on', async () => {
    await set({ newConversationsPerHour: 2, sameTextPeople: 0 });
    const sellers = await createSellers(4);
    const buyer = await createPerson();
    const answers = await Promise.all(sellers.map((seller) => write(buyer.client, seller, 'Hello')));
    expect(statuses(answers)).toEqual([201, 201, 429, 429]);
    const refused = answers.findIndex(({ status }) => status === 429);
    expect(answers[refused]!.body.message).toBe(
      'You can start 2 conversations an hour. You can start the next one in 1 hour.',
    );
    expect(Number(answers[refused]!.headers.get('retry-after'))).toBeGreaterThan(3500);
    const begun = sellers[answers.findIndex(({ status }) => status === 201)]!;
    expect((await write(buyer.client, begun, 'And another thing')).status).toBe(201);
    await app
      .db('conversations')
      .where({ buyer_id: buyer.id })
      .update({ created_at: daysAgo(0.05) });
    expect((await write(buyer.client, sellers[refused]!, 'Hello')).status).toBe(201);
  });

  test('are counted alike if an offer opens them, also at once', async () => {
    await set({ newConversationsPerHour: 2 });
    const sellers = await createSellers(5, { price: '20.00', priceType: 'negotiable' });
    const buyer = await createPerson();
    const answers = await Promise.all(
      sellers.map((seller, i) => (i % 2 ? write(buyer.client, seller, `Hello ${i}`) : offer(buyer.client, seller))),
    );
    expect(statuses(answers)).toEqual([201, 201, 429, 429, 429]);
    expect(await app.db('conversations').where({ buyer_id: buyer.id })).toHaveLength(2);
  });

  test('one ad counts once, also for two first messages at once', async () => {
    await set({ newConversationsPerHour: 1, sameTextPeople: 0 });
    const [seller] = (await createSellers(1)) as [Seller];
    const buyer = await createPerson();
    expect(statuses(await Promise.all([1, 2].map(() => write(buyer.client, seller, 'Hello'))))).toEqual([201, 201]);
  });
});

describe('the same text', () => {
  test('reaches four people in an hour, case and blanks aside, also at once', async () => {
    const sellers = await createSellers(6);
    const buyer = await createPerson();
    const texts = [
      'Cheap phones here',
      'cheap PHONES here',
      'Cheap  phones\nhere',
      'Cheapphoneshere',
      'CHEAP phones here ',
    ];
    const answers = await Promise.all(texts.map((content, i) => write(buyer.client, sellers[i]!, content)));
    expect(statuses(answers)).toEqual([201, 201, 201, 201, 429]);
    const refused = answers.findIndex(({ status }) => status === 429);
    expect(answers[refused]!.body.message).toBe(
      'You sent this text to 4 people within an hour. Write a different text, or send it again in 1 hour.',
    );
    expect((await write(buyer.client, sellers[refused]!, 'Is it still there?')).status).toBe(201);
    // to a person who has it already
    const known = sellers[answers.findIndex(({ status }) => status === 201)]!;
    expect((await write(buyer.client, known, 'Cheap phones here')).status).toBe(201);
    await app
      .db('messages')
      .where({ sender_id: buyer.id })
      .update({ created_at: daysAgo(0.05) });
    expect((await write(buyer.client, sellers[5]!, 'Cheap phones here')).status).toBe(201);
  });
});

describe('the age of the X account', () => {
  /** Each thing that the setting closes. */
  const DOES: Record<keyof typeof X_AGE_PURPOSES, (client: Client, seller: Seller) => Promise<Answer>> = {
    ads: (client) => client.call(createAd, { body: adBody() }),
    'first messages': (client, seller) => write(client, seller, 'Hello'),
    offers: offer,
    reports: (client, { ad }) =>
      client.call(createReport, { body: { targetType: 'ad', targetId: ad.id, reason: 'scam' } }),
  };

  test.each(Object.entries(DOES))('gates %s', async (purpose, does) => {
    const [seller] = (await createSellers(1, { price: '20.00', priceType: 'negotiable' })) as [Seller];
    const [young, old] = [
      await createPerson({ x_account_created: daysAgo(10) }),
      await createPerson({ x_account_created: daysAgo(31) }),
    ];
    await set({ minXAccountAgeDays: 30 });
    const refused = await does(young.client, seller);
    const date = new Date(Date.now() + 20 * 86_400_000).toLocaleDateString('en-US', {
      dateStyle: 'long',
      timeZone: 'UTC',
    });
    expect([refused.status, refused.body.message]).toEqual([
      403,
      `${t(X_AGE_PURPOSES[purpose as keyof typeof DOES], { count: 30 })} You can do this from ${date}.`,
    ]);
    expect((await does(old.client, seller)).status).toBe(201);
  });

  test('is described where it is set by all that it gates', () => {
    const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
    const [...gated] = Object.keys(X_AGE_PURPOSES);
    const last = gated.pop();
    const words = `${gated.join(', ')} and ${last}`;
    for (const path of ['docs/MODERATION.md', 'contract/admin.ts', 'cli/commands/settings.ts', SETTINGS_TEXTS])
      expect([
        path,
        read(path)
          .match(/[Ff]or ads, [a-z, ]*reports/)?.[0]
          .slice(4),
      ]).toEqual([path, words]);
  });

  test('is required to be known, except of staff', async () => {
    await set({ minXAccountAgeDays: 1 });
    const [unknown, admin] = [await createPerson(), await createPerson({ role: 'admin' })];
    const refused = await unknown.client.call(createAd, { body: adBody() });
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('sign in again')]);
    await admin.client.ok(createAd, { body: adBody() });
  });
});

test.each([
  { minXAccountAgeDays: -1 },
  { newAccountAdsPerDay: 1.5 },
  { newConversationsPerHour: 1001 },
  { sameTextPeople: 1 },
])('the setting %o is refused', async (part) => {
  const admin = await createPerson({ role: 'admin' });
  const { maxAdDurationDays, maxImagesPerAd, moderationMode, bannedWords } = DEFAULT_SETTINGS;
  const body = { maxAdDurationDays, maxImagesPerAd, moderationMode, bannedWords };
  expect((await admin.client.send('/api/admin/settings', { method: 'PUT', body: { ...body, ...part } })).status).toBe(
    400,
  );
  // and an older client, which does not know them, changes none of them
  await set({ newConversationsPerHour: 9 });
  const saved = await admin.client.send('/api/admin/settings', { method: 'PUT', body });
  expect([saved.status, saved.body.newConversationsPerHour]).toEqual([200, 9]);
});
