import { beforeAll, describe, expect, test } from 'vitest';
import { createAd, deleteAd } from '../../../contract/ads.ts';
import * as api from '../../../contract/messages.ts';
import { deleteMe } from '../../../contract/users.ts';
import { openTestApp, type Person } from '../../../test/harness/app.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { makePhoto, toDataUrl } from '../../../test/harness/photos.ts';
import { JUST_WROTE } from '../../../test/harness/sessions.ts';

const { app, anonymous, createPerson } = await openTestApp();
// others see a change within a second; these tests want it at once
anonymous.headers.Cookie = JUST_WROTE;

beforeAll(() => insertCategories(app));

const postAd = ({ client }: Person, fields = {}) => client.ok(createAd, { body: adBody(fields) });
const send = (from: Person, adId: string, to: Person, content = 'Hello') =>
  from.client.call(api.sendMessage, { body: { adId, receiverId: to.id, content } });
const statusOf = async (me: Person, adId: string, other: { id: string }) =>
  me.client.ok(api.getConversationStatus, { params: { adId, otherUserId: other.id } });
const readThread = (me: Person, adId: string, other: Person, query = {}) =>
  me.client.ok(api.getConversation, { params: { adId, otherUserId: other.id }, query });

const meet = async (fields = {}) => {
  const [seller, buyer] = [await createPerson(), await createPerson()];
  return { seller, buyer, ad: await postAd(seller, fields) };
};

describe('writing', () => {
  test('goes from a buyer to the seller and back, both see the same thread', async () => {
    const { seller, buyer, ad } = await meet({ title: 'Sofa' });
    const first = await send(buyer, ad.id, seller, '  Is it\nstill there? ');
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({
      adId: ad.id,
      senderId: buyer.id,
      receiverId: seller.id,
      content: 'Is it\nstill there?',
      isRead: false,
      ad: { id: ad.id, title: 'Sofa', isDeleted: false },
      sender: { id: buyer.id },
    });
    expect((await send(seller, ad.id, buyer, 'Yes')).status).toBe(201);
    const thread = await readThread(seller, ad.id, buyer);
    expect(thread.map(({ content }) => content)).toEqual(['Is it\nstill there?', 'Yes']);
    expect((await readThread(buyer, ad.id, seller)).map(({ id }) => id)).toEqual(thread.map(({ id }) => id));
  });

  test('is the signed-in person, whatever the body says', async () => {
    const { seller, buyer, ad } = await meet();
    const body = { adId: ad.id, receiverId: seller.id, content: 'x', senderId: seller.id };
    expect((await buyer.client.call(api.sendMessage, { body })).body.senderId).toBe(buyer.id);
  });

  test('is refused to strangers, oneself, and to a seller who takes no messages', async () => {
    const { seller, buyer, ad } = await meet();
    const closed = await postAd(seller, { allowMessages: false });
    const stranger = await createPerson();
    for (const [from, adId, to, reason] of [
      [buyer, ad.id, stranger, 'not_seller'],
      [buyer, ad.id, buyer, 'self'],
      [seller, ad.id, buyer, 'seller_writes_first'],
      [seller, ad.id, seller, 'self'],
      [buyer, closed.id, seller, 'no_messages'],
    ] as const) {
      const { status, body } = await send(from, adId, to);
      expect([status, body.code]).toEqual([403, 'messages_not_allowed']);
      expect(await statusOf(from, adId, to)).toMatchObject({ canSend: false, reason });
    }
    expect((await send(buyer, '999999999', seller)).status).toBe(404);
    expect(
      (await anonymous.call(api.sendMessage, { body: { adId: ad.id, receiverId: seller.id, content: 'x' } })).status,
    ).toBe(401);
  });

  test('needs a visible text of at most 2,000 characters', async () => {
    const { seller, buyer, ad } = await meet();
    for (const content of ['', '  \n ', '\u200b', 'x'.repeat(2001), 'a\u0000b'])
      expect((await send(buyer, ad.id, seller, content)).status).toBe(400);
    expect((await send(buyer, ad.id, seller, '💬'.repeat(2000))).status).toBe(201);
  });

  test('about a hidden ad is only possible where a conversation has begun', async () => {
    const { seller, buyer, ad } = await meet({ imageUrls: [toDataUrl(await makePhoto({ width: 64, height: 64 }))] });
    expect((await send(buyer, ad.id, seller)).body.ad.imageUrls).toHaveLength(1);
    await app.db('ads').where({ id: ad.id }).update({ state: 'inactive' });
    expect((await readThread(buyer, ad.id, seller))[0]?.ad).toMatchObject({ imageUrls: [], thumbUrl: null });
    expect((await readThread(seller, ad.id, buyer))[0]?.ad.imageUrls).toHaveLength(1);
    expect((await send(seller, ad.id, buyer)).status).toBe(201);
    expect((await send(buyer, ad.id, seller)).status).toBe(201);
    const stranger = await createPerson();
    expect((await send(stranger, ad.id, seller)).status).toBe(404);
    expect(await statusOf(stranger, ad.id, seller)).toMatchObject({ ad: null, canSend: false });
    const admin = await createPerson({ role: 'admin' });
    expect(await send(admin, ad.id, seller)).toMatchObject({ status: 403 });
  });

  test('tells nothing of people without a public profile', async () => {
    const { buyer, ad } = await meet();
    const banned = await insertUser(app, { banned_at: new Date().toISOString() });
    const keeper = await insertUser(app, { role: 'admin', x_id: null, username: null });
    for (const person of [banned, keeper])
      expect(await statusOf(buyer, ad.id, person)).toMatchObject({ other: null, canSend: false });
  });

  test('about a deleted ad has ended; what was written stays readable without it', async () => {
    const { seller, buyer, ad } = await meet({ title: 'Secret title' });
    await send(buyer, ad.id, seller);
    await seller.client.call(deleteAd, { params: { id: ad.id } });
    expect((await send(buyer, ad.id, seller)).status).toBe(404);
    expect((await statusOf(buyer, ad.id, seller)).canSend).toBe(false);
    const [message] = await readThread(buyer, ad.id, seller);
    expect(message?.ad).toMatchObject({ title: 'Deleted ad', isDeleted: true, imageUrls: [] });
  });

  test('to a person who deleted the account is refused', async () => {
    const { seller, buyer, ad } = await meet();
    await send(buyer, ad.id, seller);
    expect((await buyer.client.call(deleteMe)).status).toBe(204);
    const message = 'The account of the other person has been deleted.';
    expect(await send(seller, ad.id, buyer)).toMatchObject({
      status: 403,
      body: { code: 'messages_not_allowed', message },
    });
    expect(await statusOf(seller, ad.id, buyer)).toMatchObject({ canSend: false, reason: 'account_deleted' });
  });

  test('with a banned person is refused in both directions', async () => {
    const { seller, buyer, ad } = await meet();
    await send(buyer, ad.id, seller);
    await app.db('users').where({ id: seller.id }).update({ banned_at: new Date() });
    const message = 'The account of the other person has been suspended.';
    expect(await send(buyer, ad.id, seller)).toMatchObject({
      status: 403,
      body: { code: 'messages_not_allowed', message },
    });
    expect(await statusOf(buyer, ad.id, seller)).toMatchObject({ canSend: false, reason: 'account_banned' });
    expect([401, 403]).toContain((await send(seller, ad.id, buyer)).status);
  });

  test('twice with one Idempotency-Key sends one message', async () => {
    const { seller, buyer, ad } = await meet();
    const body = { adId: ad.id, receiverId: seller.id, content: 'once' };
    const headers = { 'Idempotency-Key': 'message-key-1' };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => buyer.client.call(api.sendMessage, { body, headers })),
    );
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect(await readThread(buyer, ad.id, seller)).toHaveLength(1);
  });

  test('first messages of one buyer at the same moment begin one conversation', async () => {
    const { seller, buyer, ad } = await meet();
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(buyer, ad.id, seller)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(await buyer.client.ok(api.listConversationCounts)).toMatchObject([{ messages: 6, unread: 0 }]);
  });
});

describe('reading', () => {
  test('no person reads or marks the messages of another', async () => {
    const { seller, buyer, ad } = await meet();
    const { body: message } = await send(buyer, ad.id, seller, 'private');
    const stranger = await createPerson();
    expect(await readThread(stranger, ad.id, seller)).toEqual([]);
    expect(await readThread(stranger, ad.id, buyer)).toEqual([]);
    expect(await stranger.client.ok(api.listInbox)).toEqual({});
    for (const who of [stranger, buyer])
      expect((await who.client.call(api.markMessageRead, { params: { id: message.id } })).status).toBe(404);
    expect(await seller.client.ok(api.getUnreadCount)).toEqual({ unreadCount: 1 });
  });

  test('marking a message read lowers the count once', async () => {
    const { seller, buyer, ad } = await meet();
    const { body: message } = await send(buyer, ad.id, seller);
    await send(buyer, ad.id, seller);
    expect(await seller.client.ok(api.getUnreadCount)).toEqual({ unreadCount: 2 });
    for (let i = 0; i < 2; i++) await seller.client.ok(api.markMessageRead, { params: { id: message.id } });
    expect(await seller.client.ok(api.getUnreadCount)).toEqual({ unreadCount: 1 });
    expect((await readThread(buyer, ad.id, seller))[0]?.isRead).toBe(true);
  });

  test('a conversation is read up to a message by one request, and nothing else is', async () => {
    const { seller, buyer, ad } = await meet();
    const stranger = await createPerson();
    const sent = [];
    for (let i = 1; i <= 5; i++) sent.push((await send(buyer, ad.id, seller, `m${i}`)).body);
    await send(stranger, ad.id, seller, 'from somebody else');
    const params = { adId: ad.id, otherUserId: buyer.id };
    const mark = (by: Person, upTo: string) => by.client.call(api.markConversationRead, { params, body: { upTo } });
    expect((await mark(seller, sent[3]!.id)).status).toBe(204);
    expect((await readThread(seller, ad.id, buyer)).map(({ isRead }) => isRead)).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(await seller.client.ok(api.getUnreadCount)).toEqual({ unreadCount: 2 });
    expect((await mark(stranger, sent[4]!.id)).status).toBe(404);
    // a repetition, an older message and a message of the future
    for (const upTo of [sent[3]!.id, sent[0]!.id, String(BigInt(sent[4]!.id) + 1000n)])
      expect((await mark(seller, upTo)).status).toBe(204);
    expect(await seller.client.ok(api.getUnreadCount)).toEqual({ unreadCount: 1 });
  });

  test('the header X-Order names the ads of the inbox, newest conversation first', async () => {
    const { seller, buyer, ad } = await meet();
    const newer = await postAd(seller);
    await send(buyer, newer.id, seller);
    await send(buyer, ad.id, seller);
    const response = await seller.client.call(api.listInbox);
    // JavaScript sorts keys that are numbers
    expect(Object.keys(response.body)).toEqual([ad.id, newer.id]);
    expect(response.headers.get('x-order')).toBe(`${ad.id},${newer.id}`);
    await send(await createPerson(), newer.id, seller);
    expect((await seller.client.call(api.listInbox)).headers.get('x-order')).toBe(`${newer.id},${ad.id}`);
  });

  test('the inbox holds the newest 3 messages of each conversation by ad, newest first, and counts tell the rest', async () => {
    const { seller, buyer, ad } = await meet();
    const second = await createPerson();
    for (let i = 1; i <= 5; i++) await send(buyer, ad.id, seller, `m${i}`);
    await send(second, ad.id, seller, 'me too');
    const inbox = await seller.client.ok(api.listInbox);
    expect(Object.keys(inbox)).toEqual([ad.id]);
    expect(inbox[ad.id]?.map(({ content }) => content).slice(0, 3)).toEqual(['me too', 'm5', 'm4']);
    expect(inbox[ad.id]).toHaveLength(4);
    expect(await seller.client.ok(api.listConversationCounts)).toEqual([
      { adId: ad.id, otherUserId: second.id, messages: 1, unread: 1 },
      { adId: ad.id, otherUserId: buyer.id, messages: 5, unread: 5 },
    ]);
  });

  test('a long conversation comes in pages, each oldest first', async () => {
    const { seller, buyer, ad } = await meet();
    for (let i = 1; i <= 5; i++) await send(buyer, ad.id, seller, `m${i}`);
    const params = { adId: ad.id, otherUserId: buyer.id };
    const newest = await seller.client.call(api.getConversation, { params, query: { limit: '3' } });
    expect(newest.body.map((m: { content: string }) => m.content)).toEqual(['m3', 'm4', 'm5']);
    const next = /<(?:https?:\/\/[^/]+)?([^>]+)>; rel="next"/.exec(newest.headers.get('link') ?? '')?.[1];
    const earlier = await seller.client.send(next!);
    expect(earlier.body.map((m: { content: string }) => m.content)).toEqual(['m1', 'm2']);
    expect(earlier.headers.get('link')).toBeNull();
  });

  test('a conversation not begun is empty and offers the composer where one may start it', async () => {
    const { seller, buyer, ad } = await meet();
    expect(await readThread(buyer, ad.id, seller)).toEqual([]);
    expect(await statusOf(buyer, ad.id, seller)).toMatchObject({
      canSend: true,
      reason: null,
      ad: { id: ad.id },
      other: { id: seller.id },
    });
  });
});
