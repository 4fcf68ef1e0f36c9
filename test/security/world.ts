import { randomBytes } from 'node:crypto';
import type { AppContext } from '../../server/app-context.ts';
import { queryPrepared } from '../../server/db/prepared.ts';
import type { AdRow, UserRow } from '../../server/db/rows.ts';
import { createPasswords } from '../../server/features/auth/password.ts';
import type { CopiedPhoto } from '../../server/features/reports/case-repository.ts';
import { insertEmptyConversation, insertUser, nextSerial, PASSWORD } from '../harness/factories.ts';

export const ACTORS = [
  'anonymous',
  'user',
  'owner',
  'other',
  'counterpart',
  'banned',
  'admin',
  'demoted',
  'forged',
  'moderator',
  'suspended',
] as const;
export type ActorName = (typeof ACTORS)[number];

/** A small marketplace: an owner's ads, one conversation about the first ad, and involved and uninvolved users. */
export interface World {
  people: Record<Exclude<ActorName, 'anonymous' | 'forged'> | 'victim', UserRow>;
  adminLogin: string;
  ad: AdRow;
  hiddenAd: AdRow;
  expiredAd: AdRow;
  messageId: string;
  /** A photo of that message, and of an open case's copy of it. */
  photoId: string;
  photoCaseId: string;
  /** Open, by the victim, about the first ad. */
  offerId: string;
  /** An open case about the first ad, and a warning of its owner. */
  caseId: string;
  decisionId: string;
  /** Of the owner. */
  notificationId: string;
  /** Of the owner. */
  savedSearchId: string;
  /** Of the owner: a preview, and an import that ended. */
  importId: string;
  endedImportId: string;
  webhookId: string;
  deliveryId: string;
  /** Of the marketplace. */
  siteWebhookId: string;
  /** Of the owner. */
  passkeyId: string;
  /** Of the owner. */
  accessTokenId: string;
  /** A deal of the owner, as its seller, and the counterpart; neither has rated it. */
  unratedDealId: string;
  /** A public rating of the owner by the counterpart. */
  ratingId: string;
  /** Of the other user, reserved for the user. */
  reservedAd: AdRow;
}

let passwordHash: Promise<string> | undefined;

const insertAd = async ({ db }: AppContext, seller: UserRow, columns: Partial<AdRow> = {}): Promise<AdRow> => {
  const category = await db('categories').where({ slug: 'books' }).first('id');
  const row = {
    user_id: seller.id,
    category_id: category.id,
    title: 'A book',
    description: 'To read.',
    price: '5',
    ...columns,
  };
  const [ad] = await db('ads').insert(row).returning<AdRow[]>('*');
  await db('ad_views').insert({ ad_id: ad?.id }).onConflict().ignore();
  return ad as AdRow;
};

async function insertConversation({ db }: AppContext, ad: AdRow, buyer: UserRow): Promise<string> {
  const [conversation] = await db('conversations')
    .insert({ ad_id: ad.id, seller_id: ad.user_id, buyer_id: buyer.id })
    .returning('id');
  const about = { conversation_id: conversation.id, ad_id: ad.id };
  const [asked, answered] = await db('messages')
    .insert([
      { ...about, sender_id: buyer.id, receiver_id: ad.user_id, content: 'Is it still there?' },
      { ...about, sender_id: ad.user_id, receiver_id: buyer.id, content: 'It is.' },
    ])
    .returning('id');
  await db('conversations').where({ id: conversation.id }).update({ last_message_id: answered.id, message_count: 2 });
  return asked.id;
}

async function insertPhoto({ db }: AppContext, message_id: string, sender: UserRow): Promise<CopiedPhoto> {
  const sha256 = randomBytes(32);
  await db('images').insert({ sha256, width: 1, height: 1, color: '#000000', is_private: true });
  await db('image_blobs').insert({ sha256, variant: 'thumb', bytes: Buffer.from('a photo') });
  const [photo] = await db('message_photos').insert({ message_id, user_id: sender.id, sha256 }).returning('id');
  return { id: photo.id, sha256: sha256.toString('hex'), width: 1, height: 1 };
}

async function insertOffer(app: AppContext, ad: AdRow, buyer: UserRow): Promise<string> {
  const message_id = await insertConversation(app, ad, buyer);
  const { conversation_id } = await app.db('messages').where({ id: message_id }).first('conversation_id');
  const people = { maker_id: buyer.id, receiver_id: ad.user_id };
  const expires_at = app.db.raw("now() + interval '48 hours'");
  const [offer] = await app
    .db('offers')
    .insert({ message_id, conversation_id, ad_id: ad.id, ...people, amount: '4', expires_at })
    .returning('id');
  return offer.id;
}

async function insertCase({ db }: AppContext, ad: AdRow, reporter: UserRow): Promise<string> {
  const about = { target_type: 'ad', target_id: ad.id, person_id: ad.user_id };
  const nothing = { price: null, category: null, state: null, images: [], messages: [], content: null };
  const reported = { ...nothing, about: 'ad', title: ad.title, text: ad.description };
  const [opened] = await db('moderation_cases')
    .insert({ ...about, weight: 1, reported })
    .returning('id');
  await db('reports').insert({ case_id: opened.id, reporter_id: reporter.id, reason: 'scam', weight: 1 });
  return opened.id;
}

async function insertMessageCase({ db }: AppContext, id: string, sender: UserRow, photo: CopiedPhoto): Promise<string> {
  const about = { target_type: 'message', target_id: id, person_id: sender.id };
  const copy = {
    id,
    senderId: sender.id,
    content: 'Is it still there?',
    createdAt: sender.created_at,
    photos: [photo],
  };
  const nothing = { price: null, category: null, state: null, images: [], content: null };
  const reported = { ...nothing, about: 'message', title: 'A message', text: 'Is it still there?', messages: [copy] };
  const [opened] = await db('moderation_cases')
    .insert({ ...about, weight: 1, reported })
    .returning('id');
  return opened.id;
}

async function insertWarning({ db }: AppContext, { id }: UserRow): Promise<string> {
  const about = { person_id: id, target_type: 'user', target_id: id };
  const [decision] = await db('decisions')
    .insert({ ...about, action: 'warn', reason: 'offensive' })
    .returning('id');
  return decision.id;
}

async function insertDeal({ db }: AppContext, ad: AdRow, buyer: UserRow, isClosed = false): Promise<string> {
  const days = db.raw("now() + interval '14 days'");
  const closed_at = isClosed ? db.raw('now()') : null;
  const people = { ad_id: ad.id, seller_id: ad.user_id, buyer_id: buyer.id };
  await insertEmptyConversation({ db }, people);
  const [deal] = await db('deals')
    .insert({ ...people, ends_at: days, closed_at })
    .returning('id');
  return deal.id;
}

async function insertRating(app: AppContext, ad: AdRow, buyer: UserRow): Promise<string> {
  const people = { rater_id: buyer.id, rated_id: ad.user_id };
  const revealed_at = app.db.raw('now()');
  const [rating] = await app
    .db('ratings')
    .insert({ deal_id: await insertDeal(app, ad, buyer, true), ...people, value: 'good', revealed_at })
    .returning('id');
  return rating.id;
}

/** A webhook of the owner with a failed delivery, and one of the marketplace. Nothing is sent: no key fits their secrets. */
async function insertWebhooks({ db }: AppContext, owner: UserRow) {
  const hook = { url: 'https://hooks.example/a', host: 'hooks.example', format: 'standard', key_id: 'none' };
  const secret = randomBytes(64);
  const [own] = await db('webhooks')
    .insert({ ...hook, secret, user_id: owner.id, events: ['ad.sold'] })
    .returning('id');
  // each world has one
  await db('webhooks').whereNull('user_id').delete();
  const [site] = await db('webhooks')
    .insert({ ...hook, secret, events: ['report.opened'] })
    .returning('id');
  const sent = { webhook_id: own.id, type: 'ad.sold', data: {}, status: 'failed', next_at: null };
  const [delivery] = await db('webhook_deliveries').insert(sent).returning('id');
  return { webhookId: own.id, siteWebhookId: site.id, deliveryId: delivery.id };
}

async function insertImports({ db }: AppContext, owner: UserRow) {
  const file = { user_id: owner.id, source: 'csv', format: 'csv', currency: 'USD', file_name: 'ads.csv', rows: 1 };
  const [ended] = await db('imports')
    .insert({ ...file, state: 'done' })
    .returning('id');
  const [preview] = await db('imports')
    .insert({ ...file, state: 'ready', wrong: 1 })
    .returning('id');
  const problems = JSON.stringify([{ column: 'title', what: 'Title is required', how: 'Every ad needs one.' }]);
  const row = { position: 1, line: 2, external_id: '1', title: '', kind: 'wrong' as const, problems };
  await db('import_rows').insert({ import_id: preview.id, ...row } as never);
  return { importId: preview.id, endedImportId: ended.id };
}

export async function createWorld(app: AppContext): Promise<World> {
  const { db } = app;
  const person = (columns: Partial<UserRow> = {}) => insertUser(app, columns);
  const inADay = new Date(Date.now() + 86_400_000).toISOString();
  const [user, owner, other, counterpart, banned, admin, demoted, victim, moderator, suspended] = await Promise.all([
    person(),
    person(),
    person(),
    person(),
    person({ banned_at: new Date().toISOString() }),
    person({ role: 'admin' }),
    person(),
    person(),
    person({ role: 'moderator' }),
    person({ suspended_until: inADay }),
  ]);
  passwordHash ??= createPasswords().hash(PASSWORD);
  const adminLogin = `keeper-${nextSerial()}`;
  await db('admin_credentials').insert({ user_id: admin.id, login: adminLogin, password_hash: await passwordHash });
  const [ad, hiddenAd, expiredAd] = [
    await insertAd(app, owner, { price_type: 'negotiable' }),
    await insertAd(app, owner, { state: 'inactive' }),
    await insertAd(app, owner, { state: 'expired' }),
  ];
  const reservedAd = await insertAd(app, other);
  await insertEmptyConversation(app, { ad_id: reservedAd.id, seller_id: other.id, buyer_id: user.id });
  await db('reservations').insert({ ad_id: reservedAd.id, user_id: user.id, ends_at: inADay });
  const messageId = await insertConversation(app, ad, counterpart);
  const photo = await insertPhoto(app, messageId, counterpart);
  const photoCaseId = await insertMessageCase(app, messageId, counterpart, photo);
  const offerId = await insertOffer(app, ad, victim);
  const caseId = await insertCase(app, ad, victim);
  const decisionId = await insertWarning(app, owner);
  const [notification] = await db('notifications')
    .insert({ user_id: owner.id, kind: 'ad_approved', title: 'Your ad is public', body: '' })
    .returning('id');
  const wanted = { category_id: ad.category_id, filters: {}, resolved: {} };
  const [search] = await db('saved_searches')
    .insert({ user_id: owner.id, slot: 1, name: 'Books', frequency: 'never', ...wanted })
    .returning('id');
  await db('search_alerts').insert({ search_id: search.id });
  const bytes = { credential_id: randomBytes(32), user_handle: randomBytes(32), public_key: randomBytes(77) };
  const [key] = await db('passkeys')
    .insert({ user_id: owner.id, ...bytes, counter: 0, name: 'Phone' })
    .returning('id');
  const secret = { token_hash: randomBytes(32), last_four: 'abcd', expires_at: inADay };
  const [token] = await db('access_tokens')
    .insert({ user_id: owner.id, ...secret, name: 'Backup', scopes: ['ads:read'] })
    .returning('id');
  const unratedDealId = await insertDeal(app, expiredAd, counterpart);
  const ratingId = await insertRating(app, expiredAd, counterpart);
  return {
    people: { user, owner, other, counterpart, banned, admin, demoted, victim, moderator, suspended },
    adminLogin,
    ad,
    hiddenAd,
    expiredAd,
    messageId,
    photoId: photo.id,
    photoCaseId,
    offerId,
    caseId,
    decisionId,
    notificationId: notification.id,
    savedSearchId: search.id,
    ...(await insertImports(app, owner)),
    ...(await insertWebhooks(app, owner)),
    passkeyId: key.id,
    accessTokenId: token.id,
    unratedDealId,
    ratingId,
    reservedAd,
  };
}

const TABLES = {
  ads: '*',
  ad_images: '*',
  photos: '*',
  users:
    'id, username, role, banned_at, ban_reason, suspended_until, deleted_at, can_link_out, post_to_x, display_name',
  favorites: '*',
  conversations: '*',
  messages: '*',
  message_photos: '*',
  offers: '*',
  reservations: '*',
  notifications: '*',
  notices: '*',
  saved_searches: '*',
  passkeys: '*',
  access_tokens: 'id, user_id, name, scopes, expires_at',
  imports: '*',
  import_choices: '*',
  webhooks: '*',
  webhook_deliveries: '*',
  settings: '*',
  contact_messages: '*',
  x_posts: '*',
  x_accounts: '*',
  admin_credentials: '*',
  audit_log: '*',
  moderation_cases: '*',
  reports: '*',
  decisions: '*',
  appeals: '*',
  ad_clearances: '*',
  deals: '*',
  ratings: '*',
  email_addresses: '*',
  notification_settings: '*',
};

export async function fingerprint({ db }: AppContext): Promise<string> {
  const parts = Object.entries(TABLES).map(
    ([table, columns]) =>
      `select '${table}' as name, count(*) as size, sum(hashtextextended(t::text, 0)) as hash from (select ${columns} from ${table}) t`,
  );
  return JSON.stringify(await queryPrepared(db, parts.join(' union all '), {}));
}
