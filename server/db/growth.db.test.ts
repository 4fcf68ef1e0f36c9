import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LIMITS, type LimitName, RATE_LIMITS } from '../../contract/limits.ts';
import { openTestApp } from '../../test/harness/app.ts';
import { listOwnTables } from '../../test/harness/every-table.ts';

/**
 * What bounds the rows that a visitor or a member can add: a rate limit of them, a number of LIMITS, or another table with at most
 * a bounded number of rows here for each of its own. `staff` and `site`: neither visitors nor members add rows.
 */
type Bound = { rate: LimitName } | { most: keyof typeof LIMITS } | { with: string } | 'staff' | 'site';
/**
 * What ends them: `clean-up`, the hourly job (server/job-handlers.ts); `work`, the job that needs them; `owner`, their deletion by
 * who has them, or with the account; `parent`, that of the row they belong to; `kept`, on purpose, see docs/MODERATION.md.
 */
type End = 'clean-up' | 'work' | 'owner' | 'parent' | 'kept' | 'small';

const by = (bound: Bound, end: End) => ({ bound, end });

/** One row for each table of the database. A new table needs one. */
const TABLES: Record<string, { bound: Bound; end: End }> = {
  access_tokens: by({ rate: 'accessChange' }, 'clean-up'),
  ad_clearances: by('staff', 'parent'),
  ad_images: by({ with: 'ads' }, 'parent'),
  ad_places: by({ with: 'ads' }, 'parent'),
  ad_prices: by({ rate: 'editAd' }, 'work'),
  ad_publications: by({ with: 'ads' }, 'parent'),
  ad_view_days: by({ with: 'ads' }, 'clean-up'),
  ad_view_seen: by({ most: 'viewsPerDay' }, 'clean-up'),
  ad_views: by({ with: 'ads' }, 'parent'),
  admin_addresses: by('staff', 'owner'),
  admin_credentials: by('staff', 'owner'),
  ad_terms: by({ with: 'ads' }, 'parent'),
  // and of importFile, each of at most LIMITS.importRows; the operator imports any number
  ads: by({ rate: 'createAd' }, 'kept'),
  ads_to_announce: by({ with: 'ads' }, 'work'),
  announcements: by({ with: 'users' }, 'owner'),
  appeals: by({ rate: 'report' }, 'kept'),
  audit_log: by({ rate: 'mailSettings' }, 'clean-up'),
  banned_x_accounts: by('staff', 'kept'),
  blocks: by({ most: 'blocks' }, 'owner'),
  case_images: by({ with: 'moderation_cases' }, 'work'),
  categories: by('staff', 'small'),
  category_aliases: by('staff', 'small'),
  category_names: by('staff', 'small'),
  contact_messages: by({ rate: 'contact' }, 'clean-up'),
  conversations: by({ rate: 'message' }, 'kept'),
  counter_deltas: by({ with: 'ads' }, 'work'),
  counters: by('site', 'small'),
  daily_figures: by('site', 'kept'),
  deals: by({ with: 'ads' }, 'kept'),
  decisions: by('staff', 'kept'),
  email_addresses: by({ with: 'users' }, 'owner'),
  expiry_questions: by({ with: 'ads' }, 'clean-up'),
  fan_outs: by({ with: 'ads' }, 'work'),
  favorites: by({ rate: 'favorite' }, 'owner'),
  follows: by({ most: 'follows' }, 'owner'),
  idempotency_keys: by({ rate: 'write' }, 'clean-up'),
  image_blobs: by({ with: 'images' }, 'parent'),
  images: by({ rate: 'editAd' }, 'work'),
  import_choices: by({ most: 'importChoices' }, 'owner'),
  // of one import of each person; the operator imports any number
  import_rows: by({ most: 'importRows' }, 'parent'),
  imported_ads: by({ with: 'ads' }, 'parent'),
  imported_photos: by({ with: 'ads' }, 'parent'),
  imports: by({ most: 'imports' }, 'clean-up'),
  listed_ads: by({ with: 'ads' }, 'parent'),
  mail_slots: by('site', 'small'),
  message_reminders: by({ with: 'conversations' }, 'clean-up'),
  message_photos: by({ rate: 'photo' }, 'kept'),
  messages: by({ rate: 'message' }, 'kept'),
  moderation_cases: by({ rate: 'report' }, 'kept'),
  notices: by('staff', 'kept'),
  notification_deliveries: by({ with: 'notifications' }, 'parent'),
  notification_settings: by({ with: 'users' }, 'owner'),
  notifications: by({ rate: 'write' }, 'clean-up'),
  offers: by({ rate: 'message' }, 'kept'),
  open_streams: by({ most: 'streamsPerUser' }, 'work'),
  page_texts: by('staff', 'small'),
  passkey_challenges: by({ rate: 'passkey' }, 'clean-up'),
  passkeys: by({ most: 'passkeys' }, 'owner'),
  photos: by({ most: 'photos' }, 'clean-up'),
  place_names: by('site', 'small'),
  places: by('site', 'small'),
  price_drops: by({ with: 'ads' }, 'work'),
  push_attempts: by({ with: 'notifications' }, 'parent'),
  push_keys: by('site', 'small'),
  push_subscriptions: by({ most: 'pushSubscriptions' }, 'owner'),
  queue_workers: by('site', 'small'),
  rate_limits: by('site', 'clean-up'),
  ratings: by({ with: 'deals' }, 'kept'),
  recovery_codes: by({ most: 'recoveryCodes' }, 'owner'),
  recovery_links: by({ rate: 'recoveryOfAddress' }, 'clean-up'),
  reports: by({ rate: 'report' }, 'kept'),
  reservations: by({ with: 'ads' }, 'work'),
  saved_searches: by({ most: 'savedSearches' }, 'owner'),
  search_alerts: by({ with: 'saved_searches' }, 'parent'),
  search_matches: by({ most: 'searchMatches' }, 'clean-up'),
  search_synonyms: by({ most: 'synonymGroups' }, 'small'),
  search_words: by({ rate: 'editAd' }, 'work'),
  sessions: by({ rate: 'signIn' }, 'work'),
  set_aside: by('site', 'clean-up'),
  settings: by('staff', 'small'),
  stream_servers: by('site', 'small'),
  table_sizes: by('site', 'clean-up'),
  users: by({ rate: 'signIn' }, 'owner'),
  visits: by({ with: 'address' }, 'clean-up'),
  // of one event each of at most LIMITS.webhooks
  webhook_deliveries: by({ rate: 'message' }, 'clean-up'),
  webhooks: by({ most: 'webhooks' }, 'owner'),
  x_accounts: by({ with: 'users' }, 'owner'),
  x_posts: by({ rate: 'favorite' }, 'kept'),
};

const { app } = await openTestApp();

test('each table has a bound and an end', async () => {
  expect(Object.keys(TABLES).toSorted()).toEqual(await listOwnTables(app));
});

test('each bound is a limit that exists, or that of another table', () => {
  const missing = Object.entries(TABLES).filter(([, { bound }]) => {
    if (typeof bound === 'string') return false;
    if ('rate' in bound) return RATE_LIMITS[bound.rate] === undefined;
    if ('most' in bound) return LIMITS[bound.most] === undefined;
    // counted once for an address and day, or half an hour (server/features/stats/counters.ts)
    return bound.with !== 'address' && TABLES[bound.with] === undefined;
  });
  expect(missing).toEqual([]);
});

test('the hourly job deletes from each table that it is said to clean', () => {
  const source = readFileSync(new URL('../job-handlers.ts', import.meta.url), 'utf8');
  const cleaned = Object.entries(TABLES).filter(([, { end }]) => end === 'clean-up');
  expect(cleaned.map(([table]) => table).filter((table) => !new RegExp(`^\\s+${table}: `, 'm').test(source))).toEqual(
    [],
  );
});
