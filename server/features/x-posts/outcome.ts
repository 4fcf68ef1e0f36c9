import type { XError } from '../../integrations/x/client.ts';

export type Outcome =
  /** X has the post already, from an earlier attempt whose response was lost. */
  | { kind: 'posted' }
  /** Retry after this many seconds. With null, the delay grows with the attempts, which then count. */
  | { kind: 'retry'; seconds: number | null; isAmbiguous: boolean; error: string }
  | { kind: 'failed'; error: string; account?: 'suspended'; alert?: boolean }
  /** X may have published the post; only its owner may retry. */
  | { kind: 'unknown'; error: string }
  | { kind: 'stop'; error: string };

const LOCKED = 326;
const RATE_LIMIT_WINDOW_S = 15 * 60;

const retry = (seconds: number | null, isAmbiguous: boolean, error: string): Outcome => ({
  kind: 'retry',
  seconds,
  isAmbiguous,
  error,
});

/**
 * The outcome of a failed attempt (X's documentation of errors, August 2026). `wasAmbiguous`: an earlier attempt may
 * have succeeded.
 */
export const classifyFailure = (error: XError, wasAmbiguous: boolean, now: Date): Outcome => {
  if (error.failure === 'unsent') return retry(null, false, 'unreachable');
  if (error.failure === 'lost') return { kind: 'unknown', error: 'no answer' };
  const status = error.status ?? 0;
  // the token has just been refreshed, so the error is X's; the tokens are kept
  if (status === 401) return retry(null, false, 'unauthorized');
  if (status === 402) return { kind: 'stop', error: error.problem ?? 'payment required' };
  if (status === 403) return classifyForbidden(error, wasAmbiguous);
  if (status === 429) return retry(getSecondsUntilReset(error, now), false, 'rate limited');
  if (status >= 500) return retry(null, true, `X answered ${status}`);
  return { kind: 'failed', error: `X answered ${status}${error.detail ? `: ${error.detail}` : ''}`.slice(0, 300) };
};

const classifyForbidden = ({ detail = '', problem = '', codes }: XError, wasAmbiguous: boolean): Outcome => {
  if (/duplicate content/i.test(detail))
    return wasAmbiguous ? { kind: 'posted' } : { kind: 'failed', error: 'duplicate' };
  if (problem === 'user-suspended') return { kind: 'failed', error: 'suspended', account: 'suspended' };
  if (codes.includes(LOCKED)) return { kind: 'failed', error: 'locked' };
  if (/^client-/.test(problem)) return { kind: 'failed', error: problem, alert: true };
  return { kind: 'failed', error: 'forbidden' };
};

const getSecondsUntilReset = ({ rateLimit }: XError, now: Date): number => {
  const wait = rateLimit ? rateLimit.resetAt - now.valueOf() / 1000 : RATE_LIMIT_WINDOW_S;
  return Math.max(1, Math.ceil(wait)) + Math.ceil(Math.random() * 10);
};

/** The outcome if X gave no access token: nothing was sent, so a retry is safe. */
export const classifyTokenFailure = ({ status, rateLimit }: XError, now: Date): Outcome => {
  const seconds = rateLimit && status === 429 ? rateLimit.resetAt - now.valueOf() / 1000 : null;
  return retry(seconds, false, 'no access token');
};
