import { ERROR_STATUS, type ErrorCode } from '../contract/errors.ts';
import { t } from '../contract/i18n.ts';
import { ENGLISH_LOCALE } from '../contract/languages.ts';
import type { SendRefusal } from '../contract/messages.ts';

const MESSAGES: Record<ErrorCode, string> = {
  malformed_json: 'The request body is not valid JSON',
  validation_failed: 'Some fields are not valid',
  invalid_image: 'The image could not be read',
  invalid_idempotency_key: 'The Idempotency-Key header is not valid',
  link_invalid: 'This link is not valid. Open the link of the newest mail, all of it.',
  unauthenticated: 'Please log in',
  invalid_credentials: 'Invalid admin credentials',
  invalid_token: 'The access token is not valid: it may be misspelled, revoked or expired',
  forbidden: 'You are not allowed to do this',
  insufficient_scope: 'An access token cannot do this. Sign in with a browser.',
  csrf_rejected: 'This request did not come from this site',
  account_banned: 'Your account has been suspended',
  account_suspended: 'Your account is suspended',
  messages_not_allowed: 'You cannot write to this person about this ad',
  not_found: 'Not found',
  method_not_allowed: 'This method is not allowed here',
  conflict: 'This was changed in the meantime',
  similar_ad: 'You already have a similar ad.',
  odd_price: 'This price is unusual. Is it meant?',
  account_changed: 'Another account is signed in now. Reload the page.',
  link_used: 'This link was used already.',
  link_expired: 'This link has expired.',
  last_admin: 'The last administrator cannot be removed',
  idempotency_in_progress: 'A request with this Idempotency-Key is still running',
  payload_too_large: 'The request is too large',
  uri_too_long: 'This address is too long',
  unsupported_media_type: 'Send application/json',
  misdirected_request: 'This host is not served here',
  idempotency_key_reused: 'This Idempotency-Key was used for another request',
  rate_limited: 'Too many requests. Please wait a moment.',
  client_closed_request: 'The request was cancelled',
  internal_error: 'Something went wrong',
  overloaded: 'The server is busy. Please try again in a moment.',
  image_worker_failed: 'The images could not be processed. Please try again.',
  database_unavailable: 'The database is not available. Please try again in a moment.',
  storage_full: 'The server has run out of space',
  storage_unavailable: 'The photos could not be stored. Please try again in a moment.',
  shutting_down: 'The server is restarting. Please try again in a moment.',
  maintenance: 'The site is being maintained. Please come back soon.',
};

const RETRY_AFTER: Partial<Record<ErrorCode, number>> = {
  rate_limited: 60,
  overloaded: 2,
  image_worker_failed: 2,
  database_unavailable: 3,
  storage_unavailable: 3,
  shutting_down: 3,
  maintenance: 60,
  idempotency_in_progress: 1,
};

export interface AppErrorOptions {
  message?: string;
  fields?: Record<string, string>;
  retryAfter?: number;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** An error response: the code determines the HTTP status, the message is for people. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: Record<string, string> | undefined;
  readonly retryAfter: number | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, { message, fields, retryAfter, headers = {}, cause }: AppErrorOptions = {}) {
    super(message ?? MESSAGES[code], { cause });
    this.name = 'AppError';
    this.code = code;
    this.fields = fields;
    this.headers = headers;
    this.retryAfter = retryAfter ?? RETRY_AFTER[code];
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

const UNTIL = new Intl.DateTimeFormat(ENGLISH_LOCALE, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** `until` is an ISO time; `fields` has it for programs. */
export const accountSuspended = (until: string) =>
  new AppError('account_suspended', {
    message: `Your account is suspended until ${UNTIL.format(new Date(until))} UTC.`,
    fields: { suspendedUntil: until },
  });

/** Names the scope that the access token lacks; none for what no token does. */
export const insufficientScope = (scope?: string) =>
  new AppError('insufficient_scope', {
    ...(scope && { message: `This access token lacks the scope ${scope}` }),
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope"${scope ? `, scope="${scope}"` : ''}` },
  });

export const messagesNotAllowed = (refusal: SendRefusal) =>
  new AppError('messages_not_allowed', { message: t(`messages.refusal_${refusal}`) });

export const notFound = (message?: string) => new AppError('not_found', { message });
export const forbidden = (message?: string) => new AppError('forbidden', { message });
export const conflict = (message?: string, fields?: Record<string, string>) =>
  new AppError('conflict', { message, fields });
export const unauthenticated = (message?: string) => new AppError('unauthenticated', { message });
export const invalid = (fields: Record<string, string>, message?: string) =>
  new AppError('validation_failed', { fields, message: message ?? Object.values(fields)[0] });
