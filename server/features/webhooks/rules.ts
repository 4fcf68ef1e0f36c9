import { LIMITS } from '../../../contract/limits.ts';
import type { ErrorPhrase } from '../../error-phrases.ts';

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000] as const;

/** Until the next attempt, by the number of attempts before it (Standard Webhooks 1.0). */
const RETRY_AFTER_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;
/** Added to each wait, so that what failed together does not come back together. */
const JITTER = 0.2;
/** A receiver cannot put deliveries off for longer. */
const RETRY_AFTER_MAX_MS = 24 * HOUR;

/** The wait that a header Retry-After asks for: seconds or a date (RFC 9110), bounded. Undefined if it asks for none. */
export const readRetryAfter = (header: string | undefined, now: Date): number | undefined => {
  if (header === undefined) return undefined;
  const ms = /^\d{1,10}$/.test(header) ? Number(header) * SECOND : Date.parse(header) - now.valueOf();
  return ms > 0 ? Math.min(ms, RETRY_AFTER_MAX_MS) : undefined;
};

/** What came back from a receiver: a status, or why there is none. */
export interface Answer {
  status: number | null;
  error: ErrorPhrase | null;
  retryAfterMs?: number | undefined;
}

export type Verdict =
  | { status: 'delivered' }
  /** `holdMs`: the receiver wants no other request until then. */
  | { status: 'waiting'; waitMs: number; holdMs: number | null }
  | { status: 'failed'; isGone: boolean; holdMs: number | null };

const GONE = 410;

/** Only 2xx counts as received. `attempts` includes this one; `random`: from 0 to 1. */
export const judgeAnswer = (
  { status, retryAfterMs }: Omit<Answer, 'error'>,
  attempts: number,
  random: number,
): Verdict => {
  if (status !== null && status >= 200 && status < 300) return { status: 'delivered' };
  if (status === GONE) return { status: 'failed', isGone: true, holdMs: null };
  const holdMs = retryAfterMs ?? null;
  const wait = attempts < LIMITS.webhookAttempts ? RETRY_AFTER_MS[attempts - 1] : undefined;
  if (wait === undefined) return { status: 'failed', isGone: false, holdMs };
  return { status: 'waiting', waitMs: Math.max(wait * (1 + JITTER * random), holdMs ?? 0), holdMs };
};

/** What the log says about a response that does not count. */
export const explainStatus = (status: number): ErrorPhrase | null => {
  const values = { status: String(status) };
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return { key: 'webhooks.respondedRedirect', values };
  return { key: status === GONE ? 'webhooks.respondedGone' : 'webhooks.responded', values };
};
