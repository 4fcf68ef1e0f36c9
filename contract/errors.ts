import * as z from 'zod/mini';

export const ERROR_STATUS = {
  malformed_json: 400,
  validation_failed: 400,
  invalid_image: 400,
  invalid_idempotency_key: 400,
  link_invalid: 400,
  unauthenticated: 401,
  invalid_credentials: 401,
  /** The access token is misspelled, revoked or expired. */
  invalid_token: 401,
  forbidden: 403,
  /** The access token is not for this: WWW-Authenticate names the scope that it lacks. */
  insufficient_scope: 403,
  csrf_rejected: 403,
  account_banned: 403,
  account_suspended: 403,
  messages_not_allowed: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  /** The answer is to send it again with `confirmSimilar`. */
  similar_ad: 409,
  /** The answer is to send it again with `confirmPrice`. */
  odd_price: 409,
  account_changed: 409,
  last_admin: 409,
  link_used: 409,
  link_expired: 410,
  idempotency_in_progress: 409,
  payload_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  misdirected_request: 421,
  idempotency_key_reused: 422,
  rate_limited: 429,
  client_closed_request: 499,
  internal_error: 500,
  overloaded: 503,
  image_worker_failed: 503,
  database_unavailable: 503,
  storage_full: 503,
  storage_unavailable: 503,
  shutting_down: 503,
  maintenance: 503,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** Every endpoint may respond with these. */
export const COMMON_ERRORS = [
  'validation_failed',
  'not_found',
  'uri_too_long',
  'rate_limited',
  'internal_error',
  'database_unavailable',
  'overloaded',
  'shutting_down',
  'maintenance',
] as const satisfies readonly ErrorCode[];

export const ErrorReply = z.object({
  /** In the language that the request asks for, English without one. */
  message: z.string(),
  code: z.string(),
  /** What `message` names, for programs that write their own: days and times in ISO, waits in seconds. */
  params: z.optional(z.record(z.string(), z.union([z.string(), z.number()]))),
  fields: z.optional(z.record(z.string(), z.string())),
  requestId: z.string(),
});
export type ErrorReply = z.output<typeof ErrorReply>;
