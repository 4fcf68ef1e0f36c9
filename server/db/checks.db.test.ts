import { expect, test } from 'vitest';
import { FIGURES } from '../../contract/analytics.ts';
import { CONDITIONS } from '../../contract/conditions.ts';
import { VARIANTS } from '../../contract/image-variants.ts';
import { LIMITS } from '../../contract/limits.ts';
import { OFFER_STATUSES } from '../../contract/messages.ts';
import { CHANNELS } from '../../contract/notification-settings.ts';
import { NOTIFICATION_KINDS } from '../../contract/notifications.ts';
import { PAGE_TEXT_LIMITS, TEXT_PAGES } from '../../contract/page-texts.ts';
import { PRICE_TYPES } from '../../contract/prices.ts';
import { RATING_TAGS, RATING_VALUES } from '../../contract/ratings.ts';
import { APPEAL_ACTIONS, CASE_ACTIONS, REASONS, REPORT_TARGETS } from '../../contract/reports.ts';
import { SEARCH_FREQUENCIES } from '../../contract/saved-searches.ts';
import { SCOPE_NAMES } from '../../contract/scopes.ts';
import { ROLES } from '../../contract/user.ts';
import { FORMATS, WEBHOOK_EVENTS } from '../../contract/webhooks.ts';
import { XPostStatus } from '../../contract/x-posting.ts';
import { openTestApp } from '../../test/harness/app.ts';
import { listStrings, readDeclaredColumns } from '../../test/harness/declared-columns.ts';
import { MODERATION_STATES } from '../features/ads/moderation-states.ts';
import { MAX_ATTEMPTS } from '../features/notifications/delivery.ts';

const { app } = await openTestApp();

const TARGETS = [...REPORT_TARGETS, 'decision'];

/** The values that a check allows, by column. A list of the contract that grows needs a migration of its checks. */
const ALLOWED: Record<string, readonly string[]> = {
  'access_tokens.scopes': SCOPE_NAMES,
  'ads.condition': Object.keys(CONDITIONS),
  'ads.moderation': [...MODERATION_STATES],
  'ads.price_type': Object.keys(PRICE_TYPES),
  'daily_figures.kind': FIGURES,
  'decisions.action': ['hold', ...CASE_ACTIONS, ...APPEAL_ACTIONS],
  'decisions.reason': REASONS,
  'decisions.target_type': TARGETS,
  'image_blobs.variant': VARIANTS,
  'moderation_cases.target_type': TARGETS,
  'notification_deliveries.channel': CHANNELS,
  'notification_settings.channel': CHANNELS,
  'notification_settings.kind': NOTIFICATION_KINDS,
  'notifications.kind': NOTIFICATION_KINDS,
  'offers.status': OFFER_STATUSES,
  'page_texts.page': TEXT_PAGES,
  'ratings.tags': RATING_TAGS,
  'ratings.value': RATING_VALUES,
  'reports.reason': REASONS,
  'saved_searches.frequency': SEARCH_FREQUENCIES,
  'users.role': ROLES,
  'webhooks.events': WEBHOOK_EVENTS,
  'webhooks.format': FORMATS,
  'x_posts.status': XPostStatus.options,
};

/** The values that rows.ts and tables.ts list, because the contract does not know them. */
const INTERNAL = Object.fromEntries(
  readDeclaredColumns()
    .map(([column, type]) => [column, listStrings(type)] as const)
    .filter(([, values]) => values.length > 0),
);

interface Check {
  table: string;
  definition: string;
}

const readChecks = async (): Promise<Check[]> => {
  const { rows } = await app.db.raw<{ rows: Check[] }>(
    `select conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition from pg_constraint
     where contype = 'c' and connamespace = 'public'::regnamespace`,
  );
  return rows;
};

/** One column and its values; `<@` for an array. Longer conditions are rules between columns. */
const LIST = /^CHECK \(\((\((?=\w+ <@))?(?<column>\w+) (= ANY \(|<@ )ARRAY\[(?<values>('[\w:.-]+'::text(, )?)+)\]\)/;

test('the checks of the database allow the values of the contract, or of the types of rows, and no others', async () => {
  const found = (await readChecks()).flatMap(({ table, definition }) => {
    const { column, values } = LIST.exec(definition)?.groups ?? {};
    return values ? [[`${table}.${column}`, values.match(/(?<=')[\w:.-]+(?=')/g)!.toSorted()] as const] : [];
  });
  const expected = Object.entries({ ...INTERNAL, ...ALLOWED }).map(([column, values]) => [column, values.toSorted()]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
});

/** The most that the check of a column allows: characters of a text, values of an array, a number. */
const MOST: Record<string, number> = {
  'access_tokens.name': LIMITS.tokenName,
  'access_tokens.scopes': SCOPE_NAMES.length,
  'ad_images.position': LIMITS.images - 1,
  'ad_prices.price': LIMITS.price,
  'ads.description': LIMITS.description,
  'ads.external_link': LIMITS.externalLink,
  'ads.location': LIMITS.location,
  'ads.price': LIMITS.price,
  'ads.state_reason': LIMITS.reason,
  'ads.title': LIMITS.title,
  'appeals.text': LIMITS.appeal,
  'contact_messages.email': LIMITS.contactEmail,
  'contact_messages.message': LIMITS.contactMessage,
  'contact_messages.name': LIMITS.contactName,
  'contact_messages.subject': LIMITS.contactSubject,
  'decisions.note': LIMITS.reason,
  'decisions.title': LIMITS.title,
  'email_addresses.address': LIMITS.emailAddress,
  'email_addresses.pending_address': LIMITS.emailAddress,
  'images.height': LIMITS.imageEdge,
  'images.width': LIMITS.imageEdge,
  'messages.content': LIMITS.message,
  'notices.body': LIMITS.noticeBody,
  'notices.title': LIMITS.noticeTitle,
  'notification_deliveries.attempts': MAX_ATTEMPTS,
  'notifications.body': LIMITS.noticeBody,
  'offers.amount': LIMITS.price,
  'page_texts.body': PAGE_TEXT_LIMITS.text,
  'passkeys.name': LIMITS.passkeyName,
  'price_drops.old_price': LIMITS.price,
  'push_subscriptions.endpoint': LIMITS.pushEndpoint,
  'ratings.reply': LIMITS.rating,
  'ratings.tags': RATING_TAGS.length,
  'ratings.text': LIMITS.rating,
  'recovery_links.address': LIMITS.emailAddress,
  'reports.details': LIMITS.reportDetails,
  'saved_searches.name': LIMITS.searchName,
  'saved_searches.slot': LIMITS.savedSearches,
  'search_synonyms.words': LIMITS.synonymWords,
  'users.ban_reason': LIMITS.reason,
  'webhook_deliveries.attempts': LIMITS.webhookAttempts,
  'webhooks.url': LIMITS.webhookUrl,
};

/** Columns whose limit only the server has. */
const OWN_MOST = [
  'admin_credentials.login',
  'ads.state_reason_code',
  'categories.name',
  'categories.slug',
  'category_names.language',
  'category_names.name',
  'decisions.days',
  'email_addresses.refusal',
  'email_addresses.refused_address',
  'import_rows.external_id',
  'import_rows.title',
  'imported_ads.external_id',
  'imported_ads.source',
  'imported_photos.failure',
  'imported_photos.url',
  'imports.error',
  'imports.file_name',
  'imports.format',
  'imports.source',
  'notification_deliveries.error',
  'notifications.params',
  'notifications.title',
  'notifications.url',
  'page_texts.language',
  'passkeys.credential_id',
  'passkeys.public_key',
  'place_names.folded',
  'places.lat',
  'places.lng',
  'places.name',
  'places.region',
  'saved_searches.filters',
  'saved_searches.resolved',
  'set_aside.error',
  'users.avatar',
  'users.display_name',
  'users.email',
  'users.language',
  'users.seen_language',
  'users.time_zone',
  'webhook_deliveries.error',
];

/** One column and the most that it allows: `char_length(title) <= 100`, `"position" <= 4`. */
const MOST_OF = /\("?(?<column>\w+)"?\)?(::text\))? <= \(?(?<most>[\d.]+)/g;

test('the checks of the database allow as much as the limits of the contract', async () => {
  const found = (await readChecks()).flatMap(({ table, definition }) =>
    [...definition.matchAll(MOST_OF)].map(
      ({ groups }) => [`${table}.${groups!.column}`, Number(groups!.most)] as const,
    ),
  );
  const known = found.filter(([column]) => !OWN_MOST.includes(column));
  expect(Object.fromEntries(known)).toEqual(MOST);
  expect(
    found
      .map(([column]) => column)
      .filter((column) => !(column in MOST))
      .toSorted(),
  ).toEqual(OWN_MOST);
});
