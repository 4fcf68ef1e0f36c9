import { CONTESTED_ACTIONS } from '../../../contract/reports.ts';
import type { Snapshot } from '../../db/bulk.ts';
import type { Db, Trx } from '../../db/pools.ts';
import { STATUS_BY_TIME } from '../deals/offers-repository.ts';
import { SEARCH_FILTERS } from '../saved-searches/repository.ts';

/** Leaves a tombstone row for the user's messages to refer to. Deletes everything else except the ads. */
export const anonymizeUser = async (trx: Trx, userId: string): Promise<void> => {
  // in the order of the jobs that match and notify, which lock them before the searches
  await trx('search_alerts')
    .whereIn('search_id', trx('saved_searches').where({ user_id: userId }).select('id'))
    .orderBy('search_id')
    .forUpdate()
    .select('search_id');
  for (const table of [
    'access_tokens',
    'admin_credentials',
    'email_addresses',
    'favorites',
    'import_choices',
    'imported_ads',
    'imports',
    'notification_settings',
    'passkeys',
    'passkey_challenges',
    'recovery_codes',
    'recovery_links',
    'photos',
    'push_subscriptions',
    'saved_searches',
    'webhooks',
    'x_posts',
    'notifications',
    'open_streams',
  ])
    await trx(table).where({ user_id: userId }).delete();
  await trx('message_photos').where({ user_id: userId, message_id: null }).delete();
  for (const table of ['notices', 'message_reminders']) await trx(table).where({ receiver_id: userId }).delete();
  await trx('idempotency_keys')
    .whereIn('scope', [`u${userId}`, `t${userId}`])
    .delete();
  await trx('blocks').where({ blocker_id: userId }).orWhere({ blocked_id: userId }).delete();
  await trx('follows').where({ follower_id: userId }).orWhere({ seller_id: userId }).delete();
  await trx('fan_outs').where({ kind: 'announcement', subject_id: userId }).delete();
  for (const table of ['ads_to_announce', 'announcements']) await trx(table).where({ seller_id: userId }).delete();
  // those that the person gave remain, under "Deleted user"
  await trx('ratings').where({ rated_id: userId }).delete();
  await trx('contact_messages').where({ user_id: userId }).update({ user_id: null });
  // cases keep what was reported, without the name
  await trx.raw(
    `update moderation_cases set reported = reported || '{"title": "Deleted user", "text": ""}'
     where person_id = ? and reported->>'about' = 'user'`,
    [userId],
  );
  await trx('users').where({ id: userId }).update({
    x_id: null,
    username: null,
    display_name: 'Deleted user',
    avatar: null,
    avatar_sha256: null,
    avatar_checked_at: null,
    email: null,
    role: 'user',
    is_verified: false,
    verified_type: null,
    is_premium: false,
    x_account_created: null,
    can_link_out: false,
    last_seen_at: null,
    banned_at: null,
    ban_reason: null,
    suspended_until: null,
    rated_deals: 0,
    rated_good: 0,
    answer_minutes: null,
    language: null,
    seen_language: null,
    time_zone: null,
    deleted_at: trx.fn.now(),
  });
};

// Keys must be readable for people. Tokens, password hashes and session ids are secrets and stay out.
const PROFILE = `select id, x_id as "xId", username, display_name as "displayName", avatar, email, role,
      is_verified as "isVerified", verified_type as "verifiedType", is_premium as "isPremium",
      x_account_created as "xAccountCreated", can_link_out as "canLinkOut", post_to_x as "postToX", language,
      seen_language as "seenLanguage", time_zone as "timeZone",
      suspended_until as "suspendedUntil",
      created_at as "joinedAt", last_seen_at as "lastSeenAt"
    from users where id = $1 and deleted_at is null`;

const X_ACCOUNT = `select x_id as "xId", scopes, status, autopost_ads_at as "autopostAdsSince",
      autopost_favorites_at as "autopostFavoritesSince", updated_at as "updatedAt"
    from x_accounts where user_id = $1`;

const LISTS = {
  ads: `select a.id, a.title, a.description, a.price, c.name as category, a.location, a.place_id as "placeId",
      a.price_type as "priceType", a.condition, a.details, a.external_link as "externalLink",
      a.allow_messages as "allowMessages", a.state, a.state_reason as "stateReason", a.state_reason_code as "stateReasonCode", a.is_sold as "isSold",
      a.sold_at as "soldAt", a.expires_at as "expiresAt", coalesce(v.views, 0) as views,
      a.created_at as "createdAt", a.updated_at as "updatedAt",
      (select coalesce(json_agg('/media/' || encode(i.sha256, 'hex') || '/full.jpg' order by i.position), '[]')
       from ad_images i where i.ad_id = a.id) as images
    from ads a join categories c on c.id = a.category_id left join ad_views v on v.ad_id = a.id
    where a.user_id = $1 and a.state <> 'deleted' order by a.id`,
  importedAds: `select ad_id as "adId", source, external_id as "externalId", imported_at as "importedAt",
      (select coalesce(json_agg(p.url order by p.position), '[]') from imported_photos p where p.ad_id = i.ad_id) as photos
    from imported_ads i where user_id = $1 order by ad_id`,
  importChoices: `select choices, used_at as "usedAt" from import_choices where user_id = $1 order by kind`,
  imports: `select id, file_name as "fileName", format, source, state, rows, same, wrong, created, updated, paused, refused, error,
      created_at as "createdAt", finished_at as "finishedAt"
    from imports where user_id = $1 order by id`,
  // a list of their own: one value of ten thousand rows would be read in one go
  importRows: `select r.import_id as "importId", r.line, r.external_id as id, r.title, r.kind as result
    from import_rows r join imports i on i.id = r.import_id where i.user_id = $1 order by r.import_id, r.position`,
  photos: `select '/media/' || encode(sha256, 'hex') || '/full.jpg' as url, created_at as "uploadedAt"
    from photos where user_id = $1 order by created_at, sha256`,
  formerPrices: `select p.ad_id as "adId", p.price, p.ended_at as "endedAt"
    from ad_prices p join ads a on a.id = p.ad_id where a.user_id = $1 order by p.id`,
  viewsByDay: `select v.ad_id as "adId", to_char(v.day, 'YYYY-MM-DD') as day, v.views
    from ad_view_days v join ads a on a.id = v.ad_id where a.user_id = $1 order by v.ad_id, v.day`,
  favorites: `select f.ad_id as "adId", a.title, f.created_at as "savedAt"
    from favorites f join ads a on a.id = f.ad_id where f.user_id = $1 order by f.id`,
  messages: `select id, ad_id as "adId", sender_id as "senderId", receiver_id as "receiverId", content,
      is_read as "isRead", created_at as "createdAt",
      (select coalesce(json_agg('/api/messages/photos/' || p.id || '/full' order by p.position), '[]')
       from message_photos p where p.message_id = messages.id) as photos
    from messages where sender_id = $1 or receiver_id = $1 order by id`,
  offers: `select id, message_id as "messageId", ad_id as "adId", maker_id as "makerId", receiver_id as "receiverId", amount,
      ${STATUS_BY_TIME},
      created_at as "createdAt", expires_at as "expiresAt", settled_at as "settledAt"
    from offers where maker_id = $1 or receiver_id = $1 order by id`,
  reservations: `select r.ad_id as "adId", r.user_id as "userId", r.offer_id as "offerId", r.created_at as "createdAt",
      r.ends_at as "endsAt"
    from reservations r join ads a on a.id = r.ad_id where r.user_id = $1 or a.user_id = $1 order by r.ad_id`,
  deals: `select id, ad_id as "adId", seller_id as "sellerId", buyer_id as "buyerId", created_at as "createdAt",
      ends_at as "endsAt", closed_at as "closedAt"
    from deals where seller_id = $1 or buyer_id = $1 order by id`,
  // of others only what everyone may read: a hidden rating is shown to neither
  ratings: `select r.id, r.deal_id as "dealId", r.rater_id as "raterId", r.rated_id as "ratedId", r.value, r.tags, r.text,
      r.created_at as "createdAt", r.reply, r.replied_at as "repliedAt", r.removed_at as "removedAt"
    from ratings r join deals d on d.id = r.deal_id
    where r.rater_id = $1 or (r.rated_id = $1 and r.removed_at is null and (r.revealed_at is not null or d.ends_at <= now()))
    order by r.id`,
  blocks: `select b.blocked_id as "userId", u.username, b.created_at as "createdAt"
    from blocks b join users u on u.id = b.blocked_id where b.blocker_id = $1 order by b.id`,
  follows: `select f.seller_id as "userId", u.username, f.created_at as "createdAt"
    from follows f join users u on u.id = f.seller_id where f.follower_id = $1 order by f.id`,
  savedSearches: `select s.id, s.name, s.frequency, c.slug as category, ${SEARCH_FILTERS} as filters, s.created_at as "createdAt",
      a.notified_at as "notifiedAt",
      (select coalesce(json_agg(m.ad_id::text order by m.ad_id), '[]') from search_matches m where m.search_id = s.id)
        as "newAds"
    from saved_searches s join search_alerts a on a.search_id = s.id left join categories c on c.id = s.category_id
    where s.user_id = $1 order by s.id`,
  sessions: `select kind, created_at as "startedAt", last_seen_at as "lastSeenAt", expires_at as "endsAt"
    from sessions where user_id = $1 order by created_at`,
  xPosts: `select kind, ad_id as "adId", body, status, x_post_id as "xPostId", created_at as "createdAt"
    from x_posts where user_id = $1 order by id`,
  contactMessages: `select name, email, subject, message, created_at as "createdAt"
    from contact_messages where user_id = $1 order by id`,
  reports: `select r.id, c.target_type as "targetType", c.target_id as "targetId", r.reason, r.details, r.outcome,
      r.created_at as "createdAt", r.decided_at as "decidedAt"
    from reports r join moderation_cases c on c.id = r.case_id where r.reporter_id = $1 order by r.id`,
  decisions: `select d.id, d.action, d.target_type as "targetType", d.target_id as "targetId", d.title, d.reason, d.note,
      d.days, d.until, d.is_automatic as "isAutomatic", d.created_at as "createdAt", d.reversed_at as "reversedAt",
      a.text as appeal, a.created_at as "appealedAt"
    from decisions d left join appeals a on a.decision_id = d.id
    where d.person_id = $1 and d.action = any('{${CONTESTED_ACTIONS}}') order by d.id`,
  notifications: `select kind, params, title, body, url, is_read as "isRead", created_at as "createdAt"
    from notifications where user_id = $1 order by id`,
  emailAddresses: `select address, confirmed_at as "confirmedAt", pending_address as "pendingAddress",
      refused_address as "refusedAddress", refusal, refused_at as "refusedAt", paused_at as "pausedAt"
    from email_addresses where user_id = $1`,
  notificationSettings: `select kind, channel, is_on as "isOn"
    from notification_settings where user_id = $1 order by kind, channel`,
  passkeys: `select name, created_at as "createdAt", last_used_at as "lastUsedAt"
    from passkeys where user_id = $1 order by id`,
  accessTokens: `select name, scopes, last_four as "lastFour", created_at as "createdAt", expires_at as "expiresAt",
      last_used_at as "lastUsedAt"
    from access_tokens where user_id = $1 order by id`,
  recoveryCodes: `select created_at as "createdAt" from recovery_codes where user_id = $1 order by code_hash`,
  pushSubscriptions: `select endpoint, created_at as "createdAt"
    from push_subscriptions where user_id = $1 order by id`,
  webhooks: `select id, url, events, format, is_on as "isOn", off_reason as "offReason", failing_since as "failingSince",
      created_at as "createdAt"
    from webhooks where user_id = $1 order by id`,
  webhookDeliveries: `select d.webhook_id as "webhookId", d.type, d.data, d.status, d.created_at as "createdAt"
    from webhook_deliveries d join webhooks w on w.id = d.webhook_id where w.user_id = $1 order by d.webhook_id, d.id`,
  administration: `select at, action, target_type as "targetType", target_id as "targetId"
    from audit_log where actor_id = $1 order by id`,
};

const MAX_EXPORTS = 2;

const toUserLock = (userId: string): string => `export of user ${userId}`;
const SLOT_LOCKS = Array.from({ length: MAX_EXPORTS }, (_, i) => `export slot ${i + 1}`);

/** `busy`: an export of this user is running; `full`: too many exports are running. */
export type ExportRoom = 'free' | 'busy' | 'full';

/** Whether one more export may begin, on any replica. Reserves nothing: `reserveExport` decides. */
export const readExportRoom = async (db: Db, userId: string): Promise<ExportRoom> => {
  const names = [toUserLock(userId), ...SLOT_LOCKS];
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select name from unnest(?::text[]) name where hashtextextended(name, 0) in (
       select classid::bigint << 32 | objid::bigint from pg_locks
       where locktype = 'advisory' and objsubid = 1 and granted
         and database = (select oid from pg_database where datname = current_database()))`,
    [names],
  );
  const held = new Set(rows.map(({ name }) => name));
  if (held.has(toUserLock(userId))) return 'busy';
  return SLOT_LOCKS.every((name) => held.has(name)) ? 'full' : 'free';
};

/** Reserves this user's export until the snapshot is closed, if there is room. */
export const reserveExport = async (snapshot: Snapshot, userId: string): Promise<ExportRoom> => {
  const lock = async (name: string): Promise<boolean> => {
    const sql = 'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked';
    return (await readFirst<{ locked: boolean }>(snapshot, sql, name))!.locked;
  };
  if (!(await lock(toUserLock(userId)))) return 'busy';
  for (const slot of SLOT_LOCKS) if (await lock(slot)) return 'free';
  return 'full';
};

async function readFirst<T extends object>(snapshot: Snapshot, sql: string, value: string): Promise<T | undefined> {
  const [row] = await Array.fromAsync(snapshot.rows<T>(sql, [value]));
  return row;
}

export interface Spoken {
  language: string | null;
  seenLanguage: string | null;
  timeZone: string | null;
}

export const readExportHead = async (
  snapshot: Snapshot,
  userId: string,
): Promise<{ profile: Spoken; xAccount: object | null } | undefined> => {
  const profile = await readFirst<Spoken>(snapshot, PROFILE, userId);
  return profile && { profile, xAccount: (await readFirst(snapshot, X_ACCOUNT, userId)) ?? null };
};

export const listExportRows = (snapshot: Snapshot, userId: string): [string, AsyncIterable<object>][] =>
  Object.entries(LISTS).map(([key, sql]) => [key, snapshot.rows(sql, [userId])]);
