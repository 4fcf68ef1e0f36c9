import type { XError } from '../../adapters/x.ts';

/** What becomes of a post after an attempt that X did not accept. */
export type Outcome =
  /** It was there already, from an attempt whose answer was lost. */
  | { kind: 'posted' }
  /** Not before so many seconds; null: after the usual, growing pause. */
  | { kind: 'retry'; seconds: number | null; isAmbiguous: boolean; error: string }
  | { kind: 'failed'; error: string; account?: 'suspended'; alert?: boolean }
  /** Nobody knows whether X carried it out; only a person may try again. */
  | { kind: 'unknown'; error: string }
  /** X takes no more posts from the whole site. */
  | { kind: 'stop'; error: string };

const LOCKED = 326;
const RATE_LIMIT_WINDOW_S = 15 * 60;

/** Reads X's refusal of a post (the table in docs of X's errors, August 2026). `wasAmbiguous`: an earlier attempt may have worked. */
export const judgeFailure = (error: XError, wasAmbiguous: boolean, now: Date): Outcome => {
  if (error.failure === 'unsent') return retry(null, false, 'unreachable');
  if (error.failure === 'lost') return { kind: 'unknown', error: 'no answer' };
  const status = error.status ?? 0;
  // the token was refreshed already: X itself has trouble, as on 30 June 2026; the tokens are kept
  if (status === 401) return retry(null, false, 'unauthorized');
  if (status === 402) return { kind: 'stop', error: error.problem ?? 'payment required' };
  if (status === 403) return judgeForbidden(error, wasAmbiguous);
  if (status === 429) return retry(secondsUntilReset(error, now), false, 'rate limited');
  if (status >= 500) return retry(null, true, `X answered ${status}`);
  return { kind: 'failed', error: `X answered ${status}${error.detail ? `: ${error.detail}` : ''}`.slice(0, 300) };
};

const retry = (seconds: number | null, isAmbiguous: boolean, error: string): Outcome => ({
  kind: 'retry',
  seconds,
  isAmbiguous,
  error,
});

const judgeForbidden = ({ detail = '', problem = '', codes }: XError, wasAmbiguous: boolean): Outcome => {
  if (/duplicate content/i.test(detail))
    return wasAmbiguous ? { kind: 'posted' } : { kind: 'failed', error: 'duplicate' };
  if (problem === 'user-suspended') return { kind: 'failed', error: 'suspended', account: 'suspended' };
  if (codes.includes(LOCKED)) return { kind: 'failed', error: 'locked' };
  if (/^client-/.test(problem)) return { kind: 'failed', error: problem, alert: true };
  return { kind: 'failed', error: 'forbidden' };
};

/** Until the window opens, and a little longer, so that not everybody comes back in the same second. */
const secondsUntilReset = ({ rateLimit }: XError, now: Date): number => {
  const wait = rateLimit ? rateLimit.resetAt - now.valueOf() / 1000 : RATE_LIMIT_WINDOW_S;
  return Math.max(1, Math.ceil(wait)) + Math.ceil(Math.random() * 10);
};
