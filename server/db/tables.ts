import type { Knex } from 'knex';
import type { Details } from '../../contract/ads.ts';
import type { FigureName } from '../../contract/analytics.ts';
import type { Condition } from '../../contract/conditions.ts';
import type { Variant } from '../../contract/image-variants.ts';
import type { ImportMapping } from '../../contract/imports.ts';
import type { Channel } from '../../contract/notification-settings.ts';
import type { NotificationKind } from '../../contract/notifications.ts';
import type { TextPage } from '../../contract/page-texts.ts';
import type { PriceType } from '../../contract/prices.ts';
import type { CaseTargetType, DecisionAction, ReportReason } from '../../contract/reports.ts';
import type { SearchFrequency } from '../../contract/saved-searches.ts';
import type { XPostStatus } from '../../contract/x-posting.ts';
import type {
  AccessTokenRow,
  AdminCredentialRow,
  AdRow,
  CategoryRow,
  ConversationRow,
  DealRow,
  ImportLineRow,
  ImportRow,
  MessageRow,
  OfferRow,
  PasskeyRow,
  PlaceRow,
  RatingRow,
  ReservationRow,
  SessionRow,
  Stored,
  UserRow,
  WebhookDeliveryRow,
  WebhookRow,
  XAccountRow,
} from './rows.ts';
import type { Pipeline } from './set-aside.ts';

/** Every table with its columns, as the database returns them (rows.ts). A test compares it with the migrated database. */
export interface Tables {
  access_tokens: AccessTokenRow;
  ad_clearances: { ad_id: string; content: Buffer; created_at: string };
  ad_images: { ad_id: string; position: number; sha256: Buffer };
  ad_places: { place_id: string; position: string };
  ad_prices: { id: string; ad_id: string; price: string; ended_at: string };
  ad_publications: { ad_id: string; public_at: string; state: 'due' | 'hidden' | 'matched' };
  ad_view_days: { ad_id: string; day: Date; views: number };
  ad_view_seen: { day: Date; ad_id: string; viewer: Buffer };
  ad_views: { ad_id: string; views: string };
  admin_addresses: { user_id: string; address_hash: Buffer; last_at: string };
  admin_credentials: AdminCredentialRow;
  ads: AdRow & { tsv: string | null };
  ads_to_announce: { ad_id: string; seller_id: string; is_begun: boolean };
  announcements: {
    seller_id: string;
    delivered_to: string | null;
    begun_at: string | null;
    finished_at: string | null;
  };
  appeals: { id: string; decision_id: string; case_id: string; text: string; created_at: string };
  audit_log: {
    id: string;
    at: string;
    actor_id: string | null;
    actor: string;
    action: string;
    target_type: string | null;
    target_id: string | null;
    details: Record<string, unknown>;
    request_id: string | null;
  };
  banned_x_accounts: { id_hash: Buffer; banned_at: string; ends_at: string | null };
  blocks: { id: string; blocker_id: string; blocked_id: string; created_at: string };
  case_images: { case_id: string; sha256: Buffer };
  categories: CategoryRow;
  category_aliases: { word: string; category_id: number };
  category_names: { category_id: number; language: string; name: string };
  contact_messages: {
    id: string;
    name: string;
    email: string;
    subject: string;
    message: string;
    user_id: string | null;
    created_at: string;
    mailed_at: string | null;
  };
  conversations: ConversationRow;
  counter_deltas: { id: string; key: string; delta: number };
  counters: { key: string; value: string };
  daily_figures: { kind: FigureName; day: Date; value: string; counted_at: string };
  deals: DealRow;
  decisions: {
    id: string;
    case_id: string | null;
    person_id: string;
    target_type: CaseTargetType;
    target_id: string;
    title: string | null;
    action: DecisionAction;
    reason: ReportReason;
    note: string | null;
    days: number | null;
    until: string | null;
    is_automatic: boolean;
    /** Null for the operator, and for an automatic decision (`is_automatic`). */
    decided_by: string | null;
    restore: unknown | null;
    created_at: string;
    /** When it went out of effect: reversed, or followed by another decision. */
    ended_at: string | null;
    reversed_at: string | null;
  };
  email_addresses: {
    user_id: string;
    /** The address that the person entered and confirmed here. */
    address: string | null;
    /** Whether links that sign in are mailed to `address`: the person was signed in when they confirmed it. */
    opens_account: boolean;
    /** The address of the X account counts until the person confirms or removes one here. */
    uses_x: boolean;
    confirmed_id: string | null;
    confirmed_at: string | null;
    pending_address: string | null;
    pending_id: string | null;
    pending_until: string | null;
    refused_address: string | null;
    refusal: string | null;
    refused_at: string | null;
    paused_at: string | null;
  };
  expiry_questions: { ad_id: string; expires_at: string; asked_at: string };
  fan_outs: {
    kind: 'announcement' | 'price_drop' | 'notice';
    subject_id: string;
    begun_at: string;
    delivered_to: string;
  };
  favorites: { id: string; user_id: string; ad_id: string; created_at: string };
  follows: { id: string; follower_id: string; seller_id: string; created_at: string };
  idempotency_keys: {
    scope: string;
    key: string;
    endpoint: string;
    body_hash: Buffer;
    status: number | null;
    reply: unknown | null;
    created_at: string;
  };
  image_blobs: { sha256: Buffer; variant: Variant; bytes: Buffer };
  images: {
    sha256: Buffer;
    width: number;
    height: number;
    color: string;
    created_at: string;
    deleting_at: string | null;
    is_private: boolean;
  };
  import_choices: { user_id: string; kind: string; choices: ImportMapping; used_at: string };
  import_rows: ImportLineRow;
  imported_ads: {
    ad_id: string;
    user_id: string;
    source: string;
    external_id: string;
    hash: Buffer;
    imported_at: string;
    is_missing: boolean;
    is_hidden: boolean;
  };
  imported_photos: {
    ad_id: string;
    position: number;
    url: string;
    sha256: Buffer | null;
    tries: number;
    failure: string | null;
    failure_phrase: Stored | null;
  };
  imports: ImportRow;
  listed_ads: {
    id: string;
    user_id: string;
    place_id: string | null;
    words: string;
    x: number | null;
    y: number | null;
    z: number | null;
    cell: number | null;
    category_id: number;
    is_sold: boolean;
    has_photos: boolean;
    price: string;
    price_type: PriceType;
    condition: Condition | null;
    details: Details;
  };
  mail_slots: { lane: 'all' | 'bulk'; next_at: string };
  message_reminders: { conversation_id: string; receiver_id: string; created_at: string; notified_at: string | null };
  message_photos: {
    id: string;
    user_id: string;
    message_id: string | null;
    position: number;
    sha256: Buffer;
    created_at: string;
  };
  messages: MessageRow;
  moderation_cases: {
    id: string;
    target_type: CaseTargetType;
    target_id: string;
    person_id: string;
    weight: string;
    reported: unknown;
    opened_at: string;
    decided_at: string | null;
  };
  notices: {
    id: string;
    title: string;
    body: string;
    sender_id: string | null;
    receiver_id: string | null;
    /** The last user who existed when the notice was sent. */
    last_user_id: string;
    /** The last user whom the delivery has reached. */
    delivered_to: string;
    recipients: number;
    created_at: string;
    finished_at: string | null;
  };
  notification_deliveries: {
    notification_id: string;
    channel: Channel;
    status: 'waiting' | 'sending' | 'sent' | 'skipped' | 'failed';
    attempts: number;
    error: string | null;
    next_attempt_at: string | null;
    created_at: string;
    updated_at: string;
  };
  notification_settings: { user_id: string; kind: NotificationKind; channel: Channel; is_on: boolean };
  notifications: {
    id: string;
    user_id: string;
    kind: NotificationKind;
    /** What it tells, by its kind (`NewsParams` in features/notifications/news.ts); null: `title` and `body` alone do. */
    params: { is: string } | null;
    title: string;
    body: string;
    url: string | null;
    is_read: boolean;
    created_at: string;
    notice_id: string | null;
    source_user_id: string | null;
  };
  offers: OfferRow;
  open_streams: { user_id: string; server_id: string };
  page_texts: {
    id: string;
    page: TextPage;
    language: string;
    body: string | null;
    created_at: string;
    created_by: string | null;
  };
  passkey_challenges: { challenge: Buffer; user_id: string | null; user_handle: Buffer | null; expires_at: string };
  passkeys: PasskeyRow;
  photos: { sha256: Buffer; user_id: string; created_at: string };
  place_names: { place_id: string; folded: string; country: string; ads: number; population: number };
  places: PlaceRow & { ads: number; folded: string };
  price_drops: {
    ad_id: string;
    old_price: string | null;
    dropped_at: string | null;
    is_new: boolean;
    delivered_to: string | null;
    begun_at: string | null;
    finished_at: string | null;
  };
  push_attempts: { notification_id: string; subscription_id: string };
  push_keys: { is_only: boolean; public_key: string; private_key: string; created_at: string };
  push_subscriptions: {
    id: string;
    user_id: string;
    session_hash: Buffer | null;
    endpoint: string;
    p256dh: Buffer;
    auth: Buffer;
    created_at: string;
  };
  queue_workers: { id: string; beats: string };
  rate_limits: { key: string; points: number; expire: string | null };
  ratings: RatingRow;
  recovery_codes: { user_id: string; code_hash: Buffer; created_at: string };
  recovery_links: {
    token_hash: Buffer;
    user_id: string;
    address: string | null;
    created_at: string;
    expires_at: string;
    used_at: string | null;
  };
  reports: {
    id: string;
    case_id: string;
    reporter_id: string;
    reason: ReportReason;
    details: string | null;
    weight: string;
    outcome: 'dismissed' | 'upheld' | null;
    created_at: string;
    decided_at: string | null;
    address_hash: Buffer | null;
  };
  reservations: ReservationRow;
  saved_searches: {
    id: string;
    user_id: string;
    slot: number;
    name: string;
    frequency: SearchFrequency;
    category_id: number | null;
    filters: Record<string, string>;
    resolved: unknown;
    key_words: string[] | null;
    min_price: string;
    max_price: string;
    created_at: string;
  };
  search_alerts: { search_id: string; notify_at: string | null; notified_at: string | null };
  search_matches: { search_id: string; ad_id: string; is_told: boolean; created_at: string };
  ad_terms: { ad_id: string; rules: string; terms: string | null };
  search_synonyms: {
    id: string;
    language: string | null;
    words: string[];
    is_one_way: boolean;
    created_at: string;
    created_by: string | null;
  };
  search_words: { word: string; stem: string; ads: number; added_at: string };
  sessions: SessionRow;
  set_aside: {
    pipeline: Pipeline;
    subject: string;
    failures: number;
    error: string;
    failed_at: string;
    retry_at: string;
  };
  settings: { key: string; value: unknown; updated_at: string; updated_by: string | null };
  stream_servers: { id: string; seen_at: string };
  table_sizes: { day: Date; table_name: string; row_count: string };
  users: UserRow;
  visits: { id: string; day: Date; visitor: Buffer; started_at: string; last_at: string; pages: number };
  webhook_deliveries: WebhookDeliveryRow;
  webhooks: WebhookRow;
  x_accounts: XAccountRow;
  x_posts: {
    id: string;
    user_id: string;
    kind: 'ad' | 'favorite';
    ad_id: string;
    body: string;
    status: XPostStatus;
    attempts: number;
    x_post_id: string | null;
    error: string | null;
    transaction_id: string | null;
    cost_usd: string;
    created_at: string;
    updated_at: string;
    /** An earlier attempt may have succeeded: if X refuses the text as a duplicate, it did. */
    is_ambiguous: boolean;
    next_attempt_at: string | null;
  };
}

/** What a statement may write: JSON as text, too; the database checks the values of lists. */
type Writable<Value> = Value extends string
  ? string | number | Date
  : Value extends Buffer
    ? Value
    : Value extends object
      ? Value | string
      : Value;

/** The columns of a table, and no others. */
type Written<Row> = { [Column in keyof Row]?: Writable<Row[Column]> | Knex.Raw | Knex.QueryBuilder };

type WrittenTables = {
  // biome-ignore lint/suspicious/noExplicitAny: what a statement reads depends on its joins
  [Table in keyof Tables]: Knex.CompositeTableType<any, Written<Tables[Table]>, Written<Tables[Table]>>;
};

declare module 'knex/types/tables.js' {
  interface Tables extends WrittenTables {}
}
