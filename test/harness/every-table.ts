import { randomBytes, randomUUID } from 'node:crypto';
import { seedSample } from '../../seeds/sample.ts';
import { SAMPLE_USERS } from '../../seeds/sample-users.ts';
import type { AppContext } from '../../server/app-context.ts';
import { sendNotice } from '../../server/features/notifications/notices.ts';
import { createReport } from '../../server/features/reports/service.ts';
import { operator } from '../../server/policy.ts';
import { insertCategories, insertEmptyConversation, insertPlaces, insertUser, PLACES } from './factories.ts';
import { openSession } from './sessions.ts';

/** Who has rows in every table that concerns a person: an administrator who sells, writes, reports and was decided about. */
export const PERSON = SAMPLE_USERS.dealer;
export const PERSON_MARKS = { email: 'dan@dealer.example', xId: '1006', login: 'dan-the-dealer' };

const listTables = async ({ db }: AppContext): Promise<string[]> => {
  const kinds = "relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition";
  return db('pg_class').whereRaw(kinds).orderBy('relname').pluck<string[]>('relname');
};

/** The tables of the database, apart from the migrations' own. */
export const listOwnTables = async (app: AppContext): Promise<string[]> =>
  (await listTables(app)).filter((table) => !table.startsWith('knex_'));

/** Fills the database: sample data, and rows of PERSON wherever there may be some. */
export const fillEveryTable = async (app: AppContext): Promise<void> => {
  const { db } = app;
  await insertCategories(app);
  await insertPlaces(app);
  await db('place_names').insert({
    place_id: PLACES.munich.id,
    folded: 'munchen',
    country: 'DE',
    ads: 0,
    population: 1,
  });
  await seedSample(app);
  const user_id = PERSON.id;
  const other = SAMPLE_USERS.seller.id;
  const [own] = await db('ads').where({ user_id }).orderBy('id').pluck<string[]>('id');
  const [liked] = await db('ads').where({ user_id: other, state: 'active' }).orderBy('id').pluck<string[]>('id');
  const hash = randomBytes(32);
  await db('ads').where({ id: own }).update({ place_id: PLACES.berlin.id });

  const actor = { kind: 'user', id: user_id, role: 'user' } as const;
  await createReport(app, actor, { targetType: 'ad', targetId: liked!, reason: 'other', details: 'Too grey' });
  const notice = { title: 'Your ads', body: 'Please add photos of your own.', receiverId: user_id };
  await sendNotice(app, operator('test'), notice);
  await insertUser(app, { role: 'admin' });
  await db('users').where({ id: user_id }).update({ role: 'admin', email: PERSON_MARKS.email });
  await db('admin_credentials').insert({ user_id, login: PERSON_MARKS.login, password_hash: 'x' });
  await db('admin_addresses').insert({ user_id, address_hash: hash });
  await db('ad_clearances').insert({ ad_id: own, content: hash });
  await db('ad_views').insert({ ad_id: own, views: 3 }).onConflict('ad_id').merge();
  await db('ad_prices').insert({ ad_id: own, price: 100 });
  await db('price_drops').insert({ ad_id: own, old_price: 100, dropped_at: db.fn.now() });
  await db('ad_view_days').insert({ ad_id: own, day: '2026-01-01', views: 3 });
  await db('daily_figures').insert({ kind: 'ads', day: '2026-01-01', value: 1, counted_at: db.fn.now() });
  await db('audit_log').insert({ actor_id: user_id, actor: `@${PERSON.username}`, action: 'settings.update' });
  await db('banned_x_accounts').insert({ id_hash: hash, banned_at: db.fn.now() });
  await db('category_aliases').insert({
    word: 'garments',
    category_id: db('categories').where({ slug: 'clothing' }).select('id'),
  });
  await db('category_names').insert({
    language: 'de',
    name: 'Kleider',
    category_id: db('categories').where({ slug: 'clothing' }).select('id'),
  });
  await db('blocks').insert({ blocker_id: user_id, blocked_id: SAMPLE_USERS.reader.id });
  await db('follows').insert({ follower_id: user_id, seller_id: other });
  await db('announcements').insert([user_id, other].map((seller_id) => ({ seller_id, finished_at: db.fn.now() })));
  await db('fan_outs').insert({ kind: 'announcement', subject_id: user_id });
  await db('ads_to_announce').insert({ ad_id: own, seller_id: user_id });
  const letter = { name: 'Dan', email: PERSON_MARKS.email, subject: 'Hello', message: 'Is this legal?' };
  await db('contact_messages').insert({ ...letter, user_id });
  await db('expiry_questions').insert({ ad_id: own, expires_at: '2030-01-01T00:00:00Z' });
  await db('favorites').insert({ user_id, ad_id: liked });
  await db('photos').insert({ user_id, sha256: db('images').select('sha256').limit(1) });
  await db('email_addresses').insert({
    user_id,
    address: PERSON_MARKS.email,
    confirmed_at: db.fn.now(),
    uses_x: false,
  });
  await db('notification_settings').insert({ user_id, kind: 'price_drop', channel: 'email', is_on: true });
  const call = { endpoint: 'createAd', body_hash: hash, status: 201, reply: {} };
  await db('idempotency_keys').insert({ scope: `u${user_id}`, key: 'k', ...call });
  await db('search_synonyms').insert({ words: ['bike', 'velocipede'], created_by: user_id });
  await db('page_texts').insert({ page: 'imprint', language: 'en', body: 'Dan', created_by: user_id });
  await db('settings').insert({ key: 'platform', value: {}, updated_by: user_id });
  await db('search_words').insert({ word: 'sweater', stem: 'sweater', ads: 1 }).onConflict().ignore();
  const wanted = { category_id: db('categories').where({ slug: 'clothing' }).select('id'), filters: {}, resolved: {} };
  const [search] = await db('saved_searches')
    .insert({ user_id, slot: 1, name: 'Clothes', frequency: 'daily', ...wanted })
    .returning('id');
  await db('search_alerts').insert({ search_id: search.id, notified_at: '2026-01-01' });
  await db('search_matches').insert({ search_id: search.id, ad_id: liked, is_told: true });
  await db('ad_publications').insert({ ad_id: own }).onConflict().ignore();
  const now = db.fn.now();
  await db('stream_servers').insert({ id: randomUUID(), seen_at: now });
  await db('open_streams').insert({ user_id, server_id: db('stream_servers').select('id').first() });
  await db('push_keys').insert({ public_key: 'B'.repeat(87), private_key: 'k'.repeat(43) });
  const browser = { endpoint: 'https://push.example/send/dan', p256dh: randomBytes(65), auth: randomBytes(16) };
  const [subscription] = await db('push_subscriptions')
    .insert({ user_id, ...browser })
    .returning('id');
  const key = { credential_id: randomBytes(16), user_handle: randomBytes(32), public_key: randomBytes(77), counter: 0 };
  const [imported] = await db('imports')
    .insert({ user_id, source: 'csv', format: 'csv', currency: 'USD', file_name: 'ads.csv', state: 'done', rows: 1 })
    .returning('id');
  const named = { external_id: 'A1', ad_id: own };
  await db('import_rows').insert({
    import_id: imported.id,
    position: 1,
    line: 2,
    title: 'Chair',
    kind: 'same',
    ...named,
  });
  await db('import_choices').insert({ user_id, kind: 'a'.repeat(32), choices: { decimal: 'comma' } });
  await db('imported_ads').insert({ user_id, source: 'csv', hash, ...named });
  await db('imported_photos').insert({ ad_id: own, position: 0, url: 'https://pictures.example/1.jpg' });
  await db('passkeys').insert({ user_id, ...key, name: 'Phone' });
  const expires_at = db.raw("now() + interval '90 days'");
  const token = { token_hash: hash, last_four: 'abcd', name: 'Script', scopes: ['ads:read' as const], expires_at };
  await db('access_tokens').insert({ user_id, ...token });
  const hook = { url: 'https://hooks.example/dan', host: 'hooks.example', format: 'standard', key_id: 'none' };
  const [webhook] = await db('webhooks')
    .insert({ user_id, ...hook, events: ['ad.sold'], secret: randomBytes(64) })
    .returning('id');
  await db('webhook_deliveries').insert({
    webhook_id: webhook.id,
    type: 'ad.sold',
    data: { adId: own },
    status: 'delivered',
    next_at: null,
  });
  await db('recovery_codes').insert({ user_id, code_hash: hash });
  await db('recovery_links').insert({ user_id, token_hash: hash, expires_at: now });
  const { user_handle } = key;
  await db('passkey_challenges').insert({ challenge: hash, user_id, user_handle, expires_at: now });
  const { id: notification_id } = await db('notifications').where({ user_id }).first('id');
  await db('push_attempts').insert({ notification_id, subscription_id: subscription.id });
  await db('notification_deliveries').insert({ notification_id, channel: 'push', status: 'sent', attempts: 1 });
  await db('visits').insert({
    day: '2026-01-01',
    visitor: hash.subarray(0, 16),
    started_at: now,
    last_at: now,
    pages: 1,
  });
  await db('x_accounts').insert({ user_id, x_id: PERSON_MARKS.xId, env: 'sandbox' });
  await db('x_posts').insert({ user_id, kind: 'ad', ad_id: own, body: 'For sale', status: 'skipped' });
  const sent = await db('messages')
    .where({ sender_id: user_id })
    .first('id', 'conversation_id', 'ad_id', 'receiver_id');
  const { id: message_id, receiver_id, ...about } = sent;
  const image = db('images').select('sha256').limit(1);
  await db('message_photos').insert({ user_id, message_id, sha256: image });
  const [inTwoDays, inAWeek] = [2, 7].map((days) => db.raw("now() + ? * interval '1 day'", [days]));
  await db('offers').insert({
    ...about,
    message_id,
    maker_id: user_id,
    receiver_id,
    amount: 40,
    expires_at: inTwoDays,
  });
  const people = { ad_id: own!, seller_id: user_id, buyer_id: other };
  await insertEmptyConversation(app, people);
  await db('reservations').insert({ ad_id: own, user_id: other, ends_at: inAWeek });
  const [deal] = await db('deals')
    .insert({ ...people, ends_at: inAWeek })
    .returning('id');
  await db('ratings').insert({ deal_id: deal.id, rater_id: user_id, rated_id: other, value: 'good' });
  await openSession(app, user_id);
};
