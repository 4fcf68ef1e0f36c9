import { beforeAll, describe, expect, test } from 'vitest';
import { createAd, deleteAd } from '../../../contract/ads.ts';
import * as api from '../../../contract/conversations.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { markConversationRead, sendMessage } from '../../../contract/messages.ts';
import { openTestApp, type Person } from '../../../test/harness/app.ts';
import { adBody, insertCategories, SETTLED } from '../../../test/harness/factories.ts';
import { makePhoto, toDataUrl } from '../../../test/harness/photos.ts';

const { app, createPerson } = await openTestApp({ env: { RATE_LIMIT_SCALE: '1000' } });

beforeAll(() => insertCategories(app));

const send = (from: Person, adId: string, to: Person, content = 'Hello') =>
  from.client.ok(sendMessage, { body: { adId, receiverId: to.id, content } });
const meet = async (fields = {}) => {
  const [seller, buyer] = [await createPerson(), await createPerson()];
  return { seller, buyer, ad: await seller.client.ok(createAd, { body: adBody(fields) }) };
};

describe('the inbox', () => {
  test('has a line for each conversation, the newest first, and each ad and person once', async () => {
    const { seller, buyer, ad } = await meet({ title: 'Sofa' });
    const second = await createPerson();
    for (let i = 1; i <= 3; i++) await send(buyer, ad.id, seller, `m${i}`);
    await send(second, ad.id, seller, 'me too');
    const { id: upTo, createdAt } = await send(seller, ad.id, buyer, 'Yes');
    const inbox = await seller.client.ok(api.listConversations);
    expect(inbox.lines).toEqual([
      {
        adId: ad.id,
        otherUserId: buyer.id,
        latest: { id: upTo, senderId: seller.id, content: 'Yes', createdAt },
        messages: 4,
        unread: 3,
      },
      expect.objectContaining({ adId: ad.id, otherUserId: second.id, messages: 1, unread: 1 }),
    ]);
    expect(inbox.ads).toEqual([
      { id: ad.id, title: 'Sofa', thumbUrl: null, categorySlug: ad.categorySlug, isDeleted: false },
    ]);
    expect(inbox.people.map(({ id }) => id).toSorted()).toEqual([buyer.id, second.id].toSorted());
    await seller.client.ok(markConversationRead, { params: { adId: ad.id, otherUserId: buyer.id }, body: { upTo } });
    expect((await seller.client.ok(api.listConversations)).lines.map(({ unread }) => unread)).toEqual([0, 1]);
    expect((await buyer.client.ok(api.listConversations)).lines).toMatchObject([{ otherUserId: seller.id, unread: 1 }]);
  });

  test('is empty for everybody else', async () => {
    const { seller, buyer, ad } = await meet();
    await send(buyer, ad.id, seller);
    const stranger = await createPerson();
    expect(await stranger.client.ok(api.listConversations)).toEqual({ lines: [], ads: [], people: [] });
  });

  test('shows the beginning of a long text in one line, and nothing of a deleted ad', async () => {
    const { seller, buyer, ad } = await meet({ title: 'Secret title' });
    await send(buyer, ad.id, seller, `First line\n\n  second line ${'💬'.repeat(500)}`);
    await seller.client.call(deleteAd, { params: { id: ad.id } });
    const { lines, ads } = await buyer.client.ok(api.listConversations);
    expect(lines[0]?.latest.content).toMatch(/^First line second line 💬+…$/u);
    expect([...lines[0]!.latest.content]).toHaveLength(LIMITS.inboxText);
    expect(ads).toEqual([{ id: ad.id, title: 'Deleted ad', thumbUrl: null, categorySlug: null, isDeleted: true }]);
  });

  test('of 50 conversations about as many ads is at most 60 kB, and the next page follows', async () => {
    const buyer = await createPerson(SETTLED);
    const imageUrls = [toDataUrl(await makePhoto({ width: 64, height: 64 }))];
    for (let i = 0; i < LIMITS.inboxConversations + 1; i++) {
      const seller = await createPerson();
      const title = `${i} `.padEnd(LIMITS.title, 'Grandmother’s chair ');
      const ad = await seller.client.ok(createAd, { body: adBody({ title, imageUrls }) });
      await send(buyer, ad.id, seller, `${i}: ${'I will take it. '.repeat(100)}`);
      // so that the limit of new conversations an hour does not count it
      await app.db('conversations').where({ ad_id: ad.id }).update({ created_at: SETTLED.created_at });
      await send(seller, ad.id, buyer, `${i}: ${'It is yours, “as it stands”. '.repeat(60)}`);
    }
    const response = await buyer.client.call(api.listConversations);
    expect(response.body.lines).toHaveLength(LIMITS.inboxConversations);
    expect(response.body.ads).toHaveLength(LIMITS.inboxConversations);
    expect(Buffer.byteLength(JSON.stringify(response.body))).toBeLessThanOrEqual(LIMITS.inboxConversations * 1200);
    const next = /<(?:https?:\/\/[^/]+)?([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    expect((await buyer.client.send(next!)).body.lines).toHaveLength(1);
  });
});
