import type { Details } from '../../contract/ads.ts';
import type { Condition } from '../../contract/conditions.ts';
import type { OfferStatus } from '../../contract/messages.ts';
import type { PriceType } from '../../contract/prices.ts';
import type { RatingTag, RatingValue } from '../../contract/ratings.ts';
import type { ReportReason } from '../../contract/reports.ts';
import type { Scope } from '../../contract/scopes.ts';
import type { Role } from '../../contract/user.ts';
import type { WebhookEvent } from '../../contract/webhooks.ts';

/** JSON whose shape only its feature knows (`ErrorPhrase` in server/error-phrases.ts). Written as text. */
export type Stored = unknown;

/**
 * Rows as the database returns them: bigint and numeric are strings, timestamptz is an ISO string (pools.ts), bytea a
 * Buffer. The interfaces of tables that several features share; tables.ts has all tables.
 */
export interface UserRow {
  id: string;
  x_id: string | null;
  username: string | null;
  display_name: string;
  /** Its address at X. */
  avatar: string | null;
  /** The copy that the site shows. */
  avatar_sha256: Buffer | null;
  avatar_checked_at: string | null;
  email: string | null;
  role: Role;
  is_verified: boolean;
  verified_type: string | null;
  is_premium: boolean;
  x_account_created: string | null;
  can_link_out: boolean;
  post_to_x: boolean;
  created_at: string;
  last_seen_at: string | null;
  banned_at: string | null;
  ban_reason: string | null;
  suspended_until: string | null;
  deleted_at: string | null;
  ads_pending: boolean;
  /** Public ratings of this user that count, and the good ones among them. */
  rated_deals: number;
  rated_good: number;
  /** How many minutes this seller usually takes to answer a first message, if that is known. */
  answer_minutes: number | null;
  /** The language that the person has chosen. One that LOCALES no longer names does not count. */
  language: string | null;
  /** That of the browser that signed in last. What is sent to the person speaks it if they have chosen none. */
  seen_language: string | null;
  /** That of the browser that was used last. Null: the marketplace's own. */
  time_zone: string | null;
}

export interface SessionRow {
  sid_hash: Buffer;
  user_id: string | null;
  kind: 'start' | 'x' | 'password';
  data: Record<string, unknown>;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
}

export interface AdminCredentialRow {
  user_id: string;
  login: string;
  password_hash: string;
  must_change: boolean;
  disabled_at: string | null;
  /** The administrator signs in with passkeys only. */
  password_off_at: string | null;
  created_at: string;
  changed_at: string;
}

export interface CategoryRow {
  id: number;
  slug: string;
  name: string;
  emoji: string;
  position: number;
  is_disabled: boolean;
}

export interface PlaceRow {
  id: string;
  name: string;
  region: string | null;
  country: string;
  lat: number;
  lng: number;
  population: number;
}

export type AdStateValue = 'active' | 'paused' | 'pending' | 'inactive' | 'expired' | 'deleted';

export interface AdRow {
  id: string;
  user_id: string;
  category_id: number;
  title: string;
  description: string;
  price: string;
  location: string | null;
  /** A city of GeoNames. */
  place_id: string | null;
  price_type: PriceType;
  condition: Condition | null;
  details: Details;
  has_photos: boolean;
  external_link: string | null;
  allow_messages: boolean;
  moderation: 'clear' | 'pending' | 'held' | 'removed';
  /** Follows `moderation` where that is not clear. */
  state: AdStateValue;
  state_reason: string | null;
  /** Names what `state_reason` says in English, where staff wrote no words of their own. */
  state_reason_code: ReportReason | null;
  is_approved: boolean;
  /** Of the previous release: `moderation` is held or removed. */
  taken_down: boolean;
  /** Its owner wants it hidden. The state is `paused` while it would otherwise be active. */
  is_paused: boolean;
  is_sold: boolean;
  sold_at: string | null;
  sold_listed_until: string | null;
  expires_at: string | null;
  seller_banned: boolean;
  listed: boolean;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

export interface ConversationRow {
  id: string;
  ad_id: string;
  seller_id: string;
  buyer_id: string;
  last_message_id: string;
  message_count: number;
  created_at: string;
}

export interface MessageRow {
  id: string;
  conversation_id: string;
  ad_id: string;
  sender_id: string;
  receiver_id: string;
  content: string;
  /** Null if the sender wrote no text, so `content` is ours. */
  text_hash: Buffer | null;
  is_read: boolean;
  created_at: string;
}

export interface OfferRow {
  id: string;
  message_id: string;
  conversation_id: string;
  ad_id: string;
  maker_id: string;
  receiver_id: string;
  amount: string;
  status: OfferStatus;
  created_at: string;
  expires_at: string;
  settled_at: string | null;
}

export interface ReservationRow {
  ad_id: string;
  user_id: string;
  offer_id: string | null;
  created_at: string;
  ends_at: string;
}

export interface DealRow {
  id: string;
  ad_id: string;
  seller_id: string;
  buyer_id: string;
  created_at: string;
  ends_at: string;
  closed_at: string | null;
}

export interface RatingRow {
  id: string;
  deal_id: string;
  rater_id: string;
  rated_id: string;
  value: RatingValue;
  tags: RatingTag[];
  text: string;
  created_at: string;
  reply: string | null;
  replied_at: string | null;
  /** When it became public; null until then, and at most a minute longer. */
  revealed_at: string | null;
  /** When staff removed it. */
  removed_at: string | null;
}

export interface AccessTokenRow {
  id: string;
  user_id: string;
  token_hash: Buffer;
  last_four: string;
  name: string;
  scopes: Scope[];
  created_at: string;
  expires_at: string;
  /** Exact to a minute. */
  last_used_at: string | null;
}

export interface ImportLineRow {
  import_id: string;
  position: number;
  line: number;
  external_id: string;
  title: string;
  kind: 'new' | 'changed' | 'same' | 'wrong';
  ad_id: string | null;
  content: Record<string, unknown> | null;
  hash: Buffer | null;
  problems: unknown;
  notes: unknown;
  note_phrases: Stored | null;
  unknown_category: string | null;
}

export interface ImportRow {
  id: string;
  user_id: string;
  source: string;
  format: string;
  currency: string;
  file_name: string;
  state: 'reading' | 'ready' | 'running' | 'done' | 'failed';
  options: Record<string, unknown>;
  rows: number;
  same: number;
  wrong: number;
  done: number;
  created: number;
  updated: number;
  paused: number;
  refused: number;
  error: string | null;
  error_phrase: Stored | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

export interface WebhookDeliveryRow {
  id: string;
  webhook_id: string;
  message_id: string;
  type: WebhookEvent;
  data: unknown;
  status: 'waiting' | 'sending' | 'delivered' | 'failed';
  attempts: number;
  next_at: string | null;
  last_at: string | null;
  response_status: number | null;
  error: string | null;
  error_phrase: Stored | null;
  duration_ms: number | null;
  created_at: string;
}

export interface WebhookRow {
  id: string;
  /** Null: the marketplace's. */
  user_id: string | null;
  url: string;
  host: string;
  events: WebhookEvent[];
  format: 'standard' | 'discord' | 'ntfy';
  secret: Buffer;
  key_id: string;
  former_secret: Buffer | null;
  former_key_id: string | null;
  former_until: string | null;
  is_on: boolean;
  off_reason: 'owner' | 'gone' | 'failing' | null;
  failing_since: string | null;
  held_until: string | null;
  created_at: string;
}

export interface PasskeyRow {
  id: string;
  user_id: string;
  credential_id: Buffer;
  /** What the authenticator knows the person by. */
  user_handle: Buffer;
  public_key: Buffer;
  counter: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
}

export interface XAccountRow {
  user_id: string;
  x_id: string;
  env: 'live' | 'sandbox';
  access_token: Buffer | null;
  refresh_token: Buffer | null;
  token_key_id: string | null;
  access_expires_at: string | null;
  scopes: string[];
  status: 'ok' | 'reauth' | 'suspended' | 'revoked';
  autopost_ads_at: string | null;
  autopost_favorites_at: string | null;
  updated_at: string;
}
