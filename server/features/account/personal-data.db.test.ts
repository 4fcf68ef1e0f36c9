import { beforeAll, expect, test } from 'vitest';
import { exportMyData } from '../../../contract/users.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { fillEveryTable, listOwnTables, PERSON, PERSON_MARKS } from '../../../test/harness/every-table.ts';
import { deleteMe } from './removal.ts';

const { app, signIn } = await openTestApp();

/**
 * What the deletion of an account does to a table, which rows of it concern the person, and where the export has them.
 * `deleted`: the rows are gone. `anonymized`: the rows stay and no longer name the person. `kept`: the rows stay as they
 * are. `swept`: a job deletes what nothing uses. `impersonal`: no row concerns a person.
 */
interface Decision {
  onDeletion: 'deleted' | 'anonymized' | 'kept' | 'swept' | 'impersonal';
  rows?: string;
  exportedAs?: string | undefined;
}

const decide =
  (onDeletion: Decision['onDeletion']) =>
  (rows: string, exportedAs?: string): Decision => ({ onDeletion, rows, exportedAs });
const [gone, anonymized, kept] = [decide('deleted'), decide('anonymized'), decide('kept')];
const IMPERSONAL: Decision = { onDeletion: 'impersonal' };
const SWEPT: Decision = { onDeletion: 'swept' };

const OWN = 'user_id = :id';
const OF_OWN_ADS = 'ad_id in (select id from ads where user_id = :id)';
const OF_OWN_SEARCHES = 'search_id in (select id from saved_searches where user_id = :id)';
const OF_OWN_CASES = 'case_id in (select id from moderation_cases where person_id = :id)';

/** One decision for each table of the database. A new table needs one. */
const TABLES: Record<string, Decision> = {
  access_tokens: gone(OWN, 'accessTokens'),
  ad_clearances: gone(OF_OWN_ADS),
  ad_images: gone(OF_OWN_ADS, 'ads'),
  ad_places: IMPERSONAL,
  ad_prices: gone(OF_OWN_ADS, 'formerPrices'),
  ad_publications: gone(OF_OWN_ADS),
  ad_view_days: gone(OF_OWN_ADS, 'viewsByDay'),
  ad_view_seen: IMPERSONAL,
  ad_views: gone(OF_OWN_ADS, 'ads'),
  admin_addresses: gone(OWN),
  admin_credentials: gone(OWN),
  ads: anonymized(OWN, 'ads'),
  ads_to_announce: gone('seller_id = :id'),
  announcements: gone('seller_id = :id'),
  appeals: kept(OF_OWN_CASES, 'decisions'),
  audit_log: kept('actor_id = :id', 'administration'),
  banned_x_accounts: IMPERSONAL,
  blocks: gone('blocker_id = :id', 'blocks'),
  case_images: kept(OF_OWN_CASES),
  categories: IMPERSONAL,
  category_aliases: IMPERSONAL,
  category_names: IMPERSONAL,
  contact_messages: kept("name = 'Dan'", 'contactMessages'),
  conversations: kept('seller_id = :id', 'messages'),
  counter_deltas: IMPERSONAL,
  counters: IMPERSONAL,
  daily_figures: IMPERSONAL,
  deals: kept('seller_id = :id', 'deals'),
  decisions: kept('person_id = :id', 'decisions'),
  email_addresses: gone(OWN, 'emailAddresses'),
  expiry_questions: gone(OF_OWN_ADS),
  fan_outs: gone("kind = 'announcement' and subject_id = :id"),
  favorites: gone(OWN, 'favorites'),
  follows: gone('follower_id = :id', 'follows'),
  idempotency_keys: gone("scope = 'u' || :id"),
  image_blobs: SWEPT,
  images: SWEPT,
  import_choices: gone(OWN, 'importChoices'),
  import_rows: gone('import_id in (select id from imports where user_id = :id)', 'importRows'),
  imported_ads: gone(OWN, 'importedAds'),
  imported_photos: gone(OF_OWN_ADS, 'importedAds'),
  imports: gone(OWN, 'imports'),
  message_reminders: gone('receiver_id = :id'),
  ad_terms: gone(OF_OWN_ADS, 'ads'),
  listed_ads: gone(OWN, 'ads'),
  mail_slots: IMPERSONAL,
  message_photos: kept(OWN, 'messages'),
  messages: kept('sender_id = :id', 'messages'),
  moderation_cases: anonymized('person_id = :id', 'decisions'),
  notices: gone('receiver_id = :id', 'notifications'),
  notification_settings: gone(OWN, 'notificationSettings'),
  notification_deliveries: gone('notification_id in (select id from notifications where user_id = :id)'),
  notifications: gone(OWN, 'notifications'),
  offers: kept('maker_id = :id', 'offers'),
  page_texts: kept('created_by = :id'),
  passkey_challenges: gone(OWN),
  passkeys: gone(OWN, 'passkeys'),
  photos: gone(OWN, 'photos'),
  place_names: IMPERSONAL,
  places: IMPERSONAL,
  open_streams: gone(OWN),
  push_attempts: gone('subscription_id in (select id from push_subscriptions where user_id = :id)'),
  push_keys: IMPERSONAL,
  push_subscriptions: gone(OWN, 'pushSubscriptions'),
  price_drops: gone(OF_OWN_ADS),
  queue_workers: IMPERSONAL,
  rate_limits: IMPERSONAL,
  ratings: kept('rater_id = :id', 'ratings'),
  recovery_codes: gone(OWN, 'recoveryCodes'),
  recovery_links: gone(OWN),
  reports: kept('reporter_id = :id', 'reports'),
  reservations: gone(`${OWN} or ${OF_OWN_ADS}`, 'reservations'),
  saved_searches: gone(OWN, 'savedSearches'),
  search_alerts: gone(OF_OWN_SEARCHES, 'savedSearches'),
  search_matches: gone(OF_OWN_SEARCHES, 'savedSearches'),
  search_synonyms: kept('created_by = :id'),
  search_words: IMPERSONAL,
  sessions: gone(OWN, 'sessions'),
  set_aside: IMPERSONAL,
  table_sizes: IMPERSONAL,
  settings: kept('updated_by = :id'),
  stream_servers: IMPERSONAL,
  users: anonymized('id = :id', 'profile'),
  visits: IMPERSONAL,
  webhook_deliveries: gone('webhook_id in (select id from webhooks where user_id = :id)', 'webhookDeliveries'),
  webhooks: gone(OWN, 'webhooks'),
  x_accounts: gone(OWN, 'xAccount'),
  x_posts: gone(OWN, 'xPosts'),
};

const count = async (table: string, { rows = 'false' }: Decision): Promise<number> =>
  Number(
    (
      await app
        .db(table)
        .whereRaw(rows, { id: PERSON.id } as never)
        .count()
    )[0]!.count,
  );

const personal = Object.entries(TABLES).filter(([, { rows }]) => rows !== undefined);

beforeAll(() => fillEveryTable(app));

test('each table has a decision about deletion and export', async () => {
  expect(await listOwnTables(app)).toEqual(Object.keys(TABLES).sort());
});

test('the export contains what these tables say, and nothing is forgotten', async () => {
  for (const [table, decision] of personal) expect([table, await count(table, decision)]).not.toEqual([table, 0]);
  const { exportedAt: _at, site: _site, ...document } = (await (await signIn(PERSON.id)).call(exportMyData)).body;
  const expected = [...new Set(personal.flatMap(([, { exportedAs }]) => exportedAs ?? []))];
  expect(Object.keys(document).sort()).toEqual(expected.sort());
  for (const key of expected) expect([key, Object.keys(document[key] ?? {}).length]).not.toEqual([key, 0]);
});

/** Where the name of a deleted person stays: what others received, and the records of the operator. */
const MAY_NAME = ['audit_log', 'contact_messages'];

test('after a deletion the rows are gone, or stay without the name', async () => {
  const before = new Map(
    await Promise.all(personal.map(async ([table, decision]) => [table, await count(table, decision)] as const)),
  );
  await deleteMe(app, { kind: 'user', id: PERSON.id, role: 'admin' });
  for (const [table, decision] of personal) {
    const [were, are] = [before.get(table)!, await count(table, decision)];
    if (decision.onDeletion === 'deleted') expect([table, are]).toEqual([table, 0]);
    // the deletion itself is recorded
    else expect([table, are]).toEqual([table, table === 'audit_log' ? were + 1 : were]);
  }
  const marks = [PERSON.username, PERSON.displayName, PERSON_MARKS.email, PERSON_MARKS.login];
  for (const table of await listOwnTables(app)) {
    if (MAY_NAME.includes(table)) continue;
    const { rows } = await app.db.raw('select t::text as row from ?? t', [table]);
    const naming = rows.filter(({ row }: { row: string }) => marks.some((mark) => row.includes(mark)));
    expect([table, naming]).toEqual([table, []]);
  }
});
