import type { AppContext } from '../server/app-context.ts';
import type { Trx } from '../server/db/pools.ts';
import { inTransaction, withDatabase } from '../server/db/transaction.ts';
import { type StoredUploads, storeUploads } from '../server/features/ads/ad-images.ts';
import { createAd, setAdSold } from '../server/features/ads/service.ts';
import { markMessageRead, sendMessage } from '../server/features/messages/service.ts';
import type { UserActor } from '../server/policy.ts';
import { type PhotoName, readPhoto } from './photos.ts';

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

/** The two users of a development installation. X-Test-User and the development panel use these ids. */
export const SAMPLE_USERS = {
  seller: { id: '1001', username: 'seller_one', displayName: 'Sally Seller', isVerified: true, isPremium: true },
  buyer: { id: '1002', username: 'buyer_two', displayName: 'Ben Buyer', isVerified: false, isPremium: false },
} as const;
export type SampleRole = keyof typeof SAMPLE_USERS;

export interface SampleAd {
  by: SampleRole;
  title: string;
  description: string;
  price: string;
  category: string;
  location: string;
  photos: PhotoName[];
  isSold?: boolean;
  daysAgo: number;
}

export const SAMPLE_ADS: SampleAd[] = [
  {
    by: 'seller',
    title: 'Box of paperback crime novels',
    description:
      'About forty paperbacks, read once or twice. Mostly Scandinavian authors. Collection only, the box is heavy.',
    price: '25',
    category: 'books',
    location: 'Portland, OR',
    photos: ['book-box'],
    isSold: true,
    daysAgo: 5,
  },
  {
    by: 'buyer',
    title: 'Potted rubber plant',
    description:
      'About 60 cm tall, healthy and easy to keep. We are moving and it will not fit in the car. The yellow pot comes with it.',
    price: '18',
    category: 'home-garden',
    location: 'Salem, OR',
    photos: ['rubber-plant'],
    daysAgo: 4,
  },
  {
    by: 'seller',
    title: 'Striped wool sweater, size M',
    description: 'Worn for one winter. Dry-cleaned, no moth holes, comes from a smoke-free home.',
    price: '45',
    category: 'clothing',
    location: 'Portland, OR',
    photos: ['sweater'],
    daysAgo: 3,
  },
  {
    by: 'seller',
    title: 'Two-seat sofa, dark grey',
    description:
      'Solid frame, wooden legs, new cushions last year. Comfortable, but it no longer fits our new flat.\n\nPick up in the evening or at the weekend.',
    price: '240',
    category: 'furniture',
    location: 'Portland, OR',
    photos: ['sofa', 'sofa-side'],
    daysAgo: 2,
  },
  {
    by: 'buyer',
    title: 'Teddy bear, blue',
    description: 'Washed and well loved, looking for a new home. Both eyes are sewn on safely.',
    price: '12.50',
    category: 'toys',
    location: 'Salem, OR',
    photos: ['teddy-bear'],
    daysAgo: 1,
  },
  {
    by: 'seller',
    title: 'Basketball, hardly used',
    description: 'Size 7, indoor and outdoor. Pump and a small practice ball included.',
    price: '28',
    category: 'sports',
    location: 'Portland, OR',
    photos: ['basketball', 'basketballs', 'basketball-court'],
    daysAgo: 0,
  },
];

/** About the sofa. The buyer writes first, and the seller has not read the last message. */
export const SAMPLE_CONVERSATION = {
  about: 'Two-seat sofa, dark grey',
  messages: [
    { from: 'buyer', content: 'Hi! Is the sofa still available?' },
    { from: 'seller', content: 'Yes, it is. Would you like to come and see it?' },
    { from: 'buyer', content: 'Gladly. Does Saturday morning suit you?' },
  ],
} as const satisfies { about: string; messages: readonly { from: SampleRole; content: string }[] };
