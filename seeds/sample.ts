import type { AppContext } from '../server/app-context.ts';
import type { Trx } from '../server/db/pools.ts';
import { inTransaction, withDatabase } from '../server/db/transaction.ts';
import { type StoredUploads, storeUploads } from '../server/features/ads/ad-images.ts';
import { createAd, setAdSold } from '../server/features/ads/service.ts';
import { markMessageRead, sendMessage } from '../server/features/messages/service.ts';
import type { UserActor } from '../server/policy.ts';
import { readPhoto } from './photos.ts';
import { SAMPLE_ADS, SAMPLE_CONVERSATION, SAMPLE_USERS, type SampleAd, type SampleRole } from './sample-content.ts';

const actorOf = (role: SampleRole): UserActor => ({ kind: 'user', id: SAMPLE_USERS[role].id, role: 'user' });

const insertUsers = async (trx: Trx): Promise<boolean> => {
  const rows = Object.values(SAMPLE_USERS).map((user) => ({
    id: user.id,
    x_id: user.id,
    username: user.username,
    display_name: user.displayName,
    is_verified: user.isVerified,
    is_premium: user.isPremium,
    x_account_created: '2019-04-01T00:00:00Z',
    created_at: trx.raw("now() - interval '30 days'"),
  }));
  const inserted = await trx('users').insert(rows).onConflict().ignore().returning('id');
  return inserted.length === rows.length;
};

const storePhotos = async (ctx: AppContext, ad: SampleAd): Promise<StoredUploads> => {
  const images = [];
  for (const name of ad.photos) images.push(await ctx.images.process(await readPhoto(name)));
  return storeUploads(ctx, Object.fromEntries(images.map((image, index) => [index, { image }])));
};

const postAd = async (ctx: AppContext, trx: Trx, ad: SampleAd, uploads: StoredUploads): Promise<string> => {
  const input = { ...ad, externalLink: null, allowMessages: true, imageUrls: ad.photos.map(() => 'data:') };
  const inTrx = withDatabase(ctx, trx);
  const { id } = (await createAd(inTrx, actorOf(ad.by), input, uploads)).ad;
  if (ad.isSold) await setAdSold(inTrx, actorOf(ad.by), id, true);
  await trx('ads')
    .where({ id })
    .update({ created_at: trx.raw("now() - ? * interval '1 day'", [ad.daysAgo]) });
  return id;
};

const holdConversation = async (ctx: AppContext, trx: Trx, adId: string): Promise<void> => {
  const inTrx = withDatabase(ctx, trx);
  const { messages } = SAMPLE_CONVERSATION;
  for (const [index, { from, content }] of messages.entries()) {
    const receiverId = SAMPLE_USERS[from === 'buyer' ? 'seller' : 'buyer'].id;
    const { id } = (await sendMessage(inTrx, actorOf(from), { adId, receiverId, content })).message;
    if (index < messages.length - 1) await markMessageRead(inTrx, { kind: 'user', id: receiverId, role: 'user' }, id);
    await trx('messages')
      .where({ id })
      .update({ created_at: trx.raw("now() - ? * interval '1 hour'", [messages.length - index]) });
  }
};

/**
 * Inserts two sample users with ads, photos and a conversation, for development. Runs only once, in one transaction, so
 * later changes by users are kept. Returns whether it inserted anything.
 */
export const seedSample = async (ctx: AppContext): Promise<boolean> => {
  const known = await ctx
    .db('users')
    .whereIn(
      'id',
      Object.values(SAMPLE_USERS).map((user) => user.id),
    )
    .first('id');
  if (known !== undefined) return false;
  const uploads = new Map<SampleAd, StoredUploads>();
  for (const ad of SAMPLE_ADS) uploads.set(ad, await storePhotos(ctx, ad));
  return inTransaction(ctx.db, async (trx) => {
    if (!(await insertUsers(trx))) return false;
    const ids = new Map<string, string>();
    for (const ad of SAMPLE_ADS) ids.set(ad.title, await postAd(ctx, trx, ad, uploads.get(ad) ?? {}));
    await holdConversation(ctx, trx, ids.get(SAMPLE_CONVERSATION.about)!);
    return true;
  });
};
