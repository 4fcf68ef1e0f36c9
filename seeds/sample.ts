import { toMediaUrl } from '../contract/image-variants.ts';
import type { AppContext } from '../server/app-context.ts';
import type { Trx } from '../server/db/pools.ts';
import { inTransaction, withDatabase } from '../server/db/transaction.ts';
import { createAd, updateAd } from '../server/features/ads/service.ts';
import { requireCurrency } from '../server/features/currency/service.ts';
import { storeImages } from '../server/features/images/files.ts';
import { addPhoto } from '../server/features/images/photos-repository.ts';
import { markMessageRead, sendMessage } from '../server/features/messages/service.ts';
import { countAdsOfPlaces, findPlace } from '../server/features/places/repository.ts';
import { setAdSold } from '../server/features/sales/service.ts';
import { type PhotoName, readPhoto } from './photos.ts';
import { toLocalPrice } from './prices.ts';
import { FURTHER_ADS } from './sample-ads.ts';
import { createSampleCases, REPORTED_ADS, SUSPICIOUS_CONVERSATION } from './sample-cases.ts';
import { CITIES } from './sample-cities.ts';
import { SAMPLE_USERS, type SampleAd, type SampleConversation, type SampleUser, toActor } from './sample-users.ts';

const insertUsers = async (trx: Trx): Promise<boolean> => {
  const rows = Object.values(SAMPLE_USERS).map((user: SampleUser) => ({
    id: user.id,
    x_id: user.id,
    username: user.username,
    display_name: user.displayName,
    role: user.role ?? 'user',
    is_verified: user.isVerified ?? false,
    is_premium: user.isPremium ?? false,
    x_account_created: '2019-04-01T00:00:00Z',
    created_at: trx.raw("now() - ? * interval '1 hour'", [user.hoursSinceJoined ?? 30 * 24]),
  }));
  const inserted = await trx('users').insert(rows).onConflict().ignore().returning('id');
  return inserted.length === rows.length;
};

type Photos = Map<PhotoName, Awaited<ReturnType<AppContext['images']['process']>>>;

/** `known` holds the photos that another ad has already needed. */
const storePhotos = async (ctx: AppContext, ad: SampleAd, known: Photos): Promise<string[]> => {
  const images = [];
  for (const name of ad.photos) {
    const image = known.get(name) ?? (await ctx.images.process(await readPhoto(name)));
    known.set(name, image);
    images.push(image);
  }
  await storeImages(ctx, images);
  return images.map(({ sha256 }) => sha256);
};

const postAd = async (ctx: AppContext, trx: Trx, ad: SampleAd, photos: readonly string[]): Promise<string> => {
  for (const sha256 of photos) await addPhoto(trx, SAMPLE_USERS[ad.by].id, sha256);
  const input = {
    ...ad,
    price: toLocalPrice(ad.oldPrice ?? ad.price),
    placeId: ad.placeId && (await findPlace(trx, ad.placeId)) ? ad.placeId : null,
    priceType: ad.priceType ?? 'fixed',
    condition: ad.condition ?? null,
    details: ad.details ?? {},
    externalLink: null,
    allowMessages: true,
    imageUrls: photos.map((sha256) => toMediaUrl(sha256, 'full')),
  };
  const inTrx = withDatabase(ctx, trx);
  const { id } = (await createAd(inTrx, toActor(ad.by), input)).ad;
  if (ad.oldPrice !== undefined) await updateAd(inTrx, toActor(ad.by), id, { ...input, price: toLocalPrice(ad.price) });
  if (ad.isSold) await setAdSold(inTrx, toActor(ad.by), id, { isSold: true });
  await trx('ads')
    .where({ id })
    .update({
      created_at: trx.raw("now() - ? * interval '1 day'", [ad.daysAgo]),
      ...(ad.daysLeft && { expires_at: trx.raw("now() + ? * interval '1 day'", [ad.daysLeft]) }),
    });
  return id;
};

const insertConversation = async (
  ctx: AppContext,
  trx: Trx,
  { about, messages }: SampleConversation,
  ads: ReadonlyMap<string, string>,
): Promise<string> => {
  const inTrx = withDatabase(ctx, trx);
  const adId = ads.get(about)!;
  let last = '';
  for (const [index, { from, to, content }] of messages.entries()) {
    const { id } = (await sendMessage(inTrx, toActor(from), { adId, receiverId: SAMPLE_USERS[to].id, content }))
      .message;
    if (index < messages.length - 1) await markMessageRead(inTrx, toActor(to), id);
    await trx('messages')
      .where({ id })
      .update({ created_at: trx.raw("now() - ? * interval '1 hour'", [messages.length - index]) });
    last = id;
  }
  return last;
};

/**
 * Inserts sample users with ads, photos, conversations and cases, for development. Runs only once, in one transaction, so
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
  await requireCurrency(ctx);
  const photos: Photos = new Map();
  const stored = new Map<SampleAd, string[]>();
  for (const ad of SAMPLE_ADS) stored.set(ad, await storePhotos(ctx, ad, photos));
  return inTransaction(ctx.jobsDb, async (trx) => {
    // another process may be inserting the same people: that takes longer than a request may wait
    await trx.raw("set local lock_timeout = '60s'");
    if (!(await insertUsers(trx))) return false;
    const ids = new Map<string, string>();
    for (const ad of SAMPLE_ADS) ids.set(ad.title, await postAd(ctx, trx, ad, stored.get(ad) ?? []));
    await insertConversation(ctx, trx, SAMPLE_CONVERSATION, ids);
    const messageId = await insertConversation(ctx, trx, SUSPICIOUS_CONVERSATION, ids);
    await createSampleCases(withDatabase(ctx, trx), trx, { ads: ids, messageId });
    // the job counts once an hour; until then "Salem" would first suggest the largest one
    await countAdsOfPlaces(trx);
    return true;
  });
};

const ORDINARY_ADS: SampleAd[] = [
  {
    by: 'seller',
    title: 'Box of paperback crime novels',
    description:
      'About forty paperbacks, read once or twice. Mostly Scandinavian authors. Collection only, the box is heavy.',
    price: '25',
    condition: 'good',
    details: { language: 'English' },
    category: 'books',
    ...CITIES.portland,
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
    ...CITIES.salem,
    photos: ['rubber-plant'],
    daysAgo: 4,
  },
  {
    by: 'seller',
    title: 'Striped wool sweater, size M',
    description: 'Worn for one winter. Dry-cleaned, no moth holes, comes from a smoke-free home.',
    price: '45',
    condition: 'good',
    details: { size: 'M', material: 'Wool' },
    oldPrice: '60',
    category: 'clothing',
    ...CITIES.portland,
    photos: ['sweater'],
    daysAgo: 3,
    daysLeft: 2,
  },
  {
    by: 'seller',
    title: 'Two-seat sofa, dark grey',
    description:
      'Solid frame, wooden legs, new cushions last year. Comfortable, but it no longer fits our new flat.\n\nPick up in the evening or at the weekend.',
    price: '240',
    priceType: 'negotiable',
    condition: 'good',
    details: { material: 'Polyester', color: 'Dark grey', width: 160 },
    category: 'furniture',
    ...CITIES.portland,
    photos: ['sofa', 'sofa-side'],
    daysAgo: 2,
  },
  {
    by: 'buyer',
    title: 'Teddy bear, blue',
    description: 'Washed and well loved, looking for a new home. Both eyes are sewn on safely.',
    price: '12.50',
    condition: 'fair',
    category: 'toys',
    ...CITIES.salem,
    photos: ['teddy-bear'],
    daysAgo: 1,
  },
  {
    by: 'seller',
    title: 'Basketball, hardly used',
    description: 'Size 7, indoor and outdoor. Pump and a small practice ball included.',
    price: '28',
    condition: 'like_new',
    details: { size: '7' },
    category: 'sports',
    ...CITIES.portland,
    photos: ['basketball', 'basketballs', 'basketball-court'],
    daysAgo: 0,
  },
];

export const SAMPLE_ADS = [...FURTHER_ADS, ...REPORTED_ADS, ...ORDINARY_ADS];

/** About the sofa. The buyer writes first, and the seller has not read the last message. */
const SAMPLE_CONVERSATION: SampleConversation = {
  about: 'Two-seat sofa, dark grey',
  messages: [
    { from: 'buyer', to: 'seller', content: 'Hi! Is the sofa still available?' },
    { from: 'seller', to: 'buyer', content: 'Yes, it is. Would you like to come and see it?' },
    { from: 'buyer', to: 'seller', content: 'Gladly. Does Saturday morning suit you?' },
  ],
};
