import { beforeAll, describe, expect, test } from 'vitest';
import * as admin from '../../../contract/admin.ts';
import { deleteAd } from '../../../contract/ads.ts';
import { blockUser, unblockUser } from '../../../contract/blocks.ts';
import { streamMessages } from '../../../contract/messages.ts';
import { createReport } from '../../../contract/reports.ts';
import { deleteMe, exportMyData } from '../../../contract/users.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import {
  make,
  meetWithOffers,
  type Person,
  readOffers,
  readThread,
  refusal,
  respond,
} from '../../../test/harness/deals.ts';
import { openEventSource } from '../../../test/harness/event-source.ts';
import { insertAdmin, insertCategories } from '../../../test/harness/factories.ts';

const site = await openTestApp({ env: { RATE_LIMIT_SCALE: '1000' } });
const { app, url, signIn } = site;

beforeAll(() => insertCategories(app));

const findReservation = (adId: string) => app.db('reservations').where({ ad_id: adId }).first();

/** Two buyers: the ad is reserved for the first, the offer of the second is open, and so is another ad's offer. */
const meetWithReservation = async () => {
  const met = await meetWithOffers(site, 2);
  expect((await respond(met.seller, met.ids[0]!, 'accept')).status).toBe(200);
  const elsewhere = await meetWithOffers(site);
  return { ...met, first: met.buyers[0]!, second: met.buyers[1]!, elsewhere };
};

const asStaff = async (how: 'ban' | 'suspend', { id }: Person) => {
  const staff = await signIn((await insertAdmin(app)).id);
  const reason = 'scam';
  if (how === 'ban') await staff.ok(admin.banUser, { params: { id }, body: { reason: 'Sells nothing' } });
  else await staff.ok(admin.suspendUser, { params: { id }, body: { days: 7, reason } });
};

const SHUT_OUT: Record<string, (person: Person) => Promise<unknown>> = {
  'a ban': (person) => asStaff('ban', person),
  'a suspension': (person) => asStaff('suspend', person),
  'the deletion of the account': ({ client }) => client.ok(deleteMe),
};

describe.each(Object.entries(SHUT_OUT))('%s', (_name, shutOut) => {
  test('of the buyer ends their reservation and makes their offers void, and no others', async () => {
    const { seller, ad, first, second, elsewhere } = await meetWithReservation();
    await shutOut(first);
    expect(await findReservation(ad.id)).toBeUndefined();
    expect(await readOffers(seller, ad.id, first)).toEqual([['40.00', 'accepted']]);
    expect(await readOffers(seller, ad.id, second)).toEqual([['40.00', 'open']]);
    await shutOut(second);
    expect(await readOffers(seller, ad.id, second)).toEqual([['40.00', 'void']]);
    expect(await readOffers(elsewhere.seller, elsewhere.ad.id, elsewhere.buyer)).toEqual([['40.00', 'open']]);
  });

  test('of the seller ends the reservations of their ads and makes offers about them void', async () => {
    const { seller, ad, second, ids } = await meetWithReservation();
    await shutOut(seller);
    expect(await findReservation(ad.id)).toBeUndefined();
    expect(await readOffers(second, ad.id, seller)).toEqual([['40.00', 'void']]);
    expect(await respond(second, ids[1]!, 'withdraw')).toMatchObject(refusal('void'));
  });
});

test('a block ends what is open between the two, for good', async () => {
  for (const by of ['seller', 'buyer'] as const) {
    const { seller, ad, first, second, ids } = await meetWithReservation();
    const [blocker, blocked] = by === 'seller' ? [seller, second] : [second, seller];
    await blocker.client.ok(blockUser, { params: { userId: blocked.id } });
    expect(await findReservation(ad.id)).toMatchObject({ user_id: first.id });
    expect(await readOffers(seller, ad.id, second)).toEqual([['40.00', 'void']]);
    expect((await make(second, ad.id, seller)).body.code).toBe('messages_not_allowed');
    expect((await make(seller, ad.id, second)).body.code).toBe('messages_not_allowed');
    await blocker.client.ok(unblockUser, { params: { userId: blocked.id } });
    expect(await respond(seller, ids[1]!, 'accept')).toMatchObject(refusal('void'));
    await first.client.ok(blockUser, { params: { userId: seller.id } });
    expect(await findReservation(ad.id)).toBeUndefined();
  }
});

test('the deletion of the ad ends its offers and its reservation', async () => {
  const { seller, ad, first, second, ids } = await meetWithReservation();
  await seller.client.ok(deleteAd, { params: { id: ad.id } });
  expect(await findReservation(ad.id)).toBeUndefined();
  expect(await readOffers(second, ad.id, seller)).toEqual([['40.00', 'void']]);
  expect(await respond(seller, ids[1]!, 'accept')).toMatchObject(refusal('void'));
  expect((await readThread(first, ad.id, seller)).at(-1)).toMatchObject({ ad: { isDeleted: true } });
  expect((await make(first, ad.id, seller)).status).toBe(404);
});

test('an offer is treated like every message: reminder, stream, report, export', async () => {
  const { seller, ad, buyer } = await meetWithOffers(site);
  await app.db('message_reminders').delete();
  const streams = await Promise.all(
    [seller, buyer].map(({ client }) => openEventSource(url + streamMessages.path, client.headers)),
  );
  await expect.poll(() => streams.every((stream) => stream.of('unread').length > 0)).toBe(true);
  const { offer: first } = (await readThread(buyer, ad.id, seller)).at(-1)!;
  const about = { adId: ad.id, senderId: buyer.id, receiverId: seller.id };
  await respond(buyer, first!.id, 'withdraw');
  for (const stream of streams) await expect.poll(() => stream.of('message')).toMatchObject([about]);
  const { body } = await make(buyer, ad.id, seller, '1200');
  for (const stream of streams)
    await expect.poll(() => stream.of('message').at(-1)).toMatchObject({ ...about, id: body.id, offer: body.offer });
  await Promise.all(streams.map((stream) => stream.close()));
  expect(await app.db('message_reminders').pluck('receiver_id')).toEqual([seller.id]);

  const report = { targetType: 'message', targetId: body.id, reason: 'scam' } as const;
  expect((await seller.client.call(createReport, { body: report })).status).toBe(201);
  const opened = await app.db('moderation_cases').where({ target_type: 'message', target_id: body.id }).first();
  expect(opened.reported.messages.at(-1)).toMatchObject({ content: 'Offer: $1,200' });

  const { body: exported } = await seller.client.call(exportMyData);
  expect(exported).toMatchObject({
    messages: expect.arrayContaining([expect.objectContaining({ content: 'Offer: $1,200' })]),
    offers: [{ status: 'withdrawn' }, { messageId: body.id, amount: '1200.00', status: 'open', makerId: buyer.id }],
  });
});
