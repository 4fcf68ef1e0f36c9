import { createHash, createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LimitName, RATE_LIMITS } from '../../../contract/limits.ts';
import type { AppContext } from '../../app-context.ts';
import { countInWindow, refundWindows } from '../../db/rate-limits.ts';
import { AppError } from '../../errors.ts';
import { foldCase } from '../../lib/fold-case.ts';
import { insertKnownAddress, isKnownAddress } from './repository.ts';

export interface SignInAttempt {
  login: string;
  address: string;
  signal?: AbortSignal;
}

export interface AdmittedSignIn {
  /** The administrator with this login has signed in from this address before. */
  isKnownAddress: boolean;
  succeed(userId: string): Promise<void>;
}

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 5000;
/** Attempts that may wait at the same time in one process: each holds only a socket. */
const MAX_WAITING = 500;

let waiting = 0;

export const getSignInDelay = (failures: number, free: number): number =>
  failures < free ? 0 : Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures - free, 10));

const hashAddress = (key: string, { login, address }: SignInAttempt): Buffer =>
  createHmac('sha256', key)
    .update(`sign-in ${foldCase(login)} ${address}`)
    .digest();

const hashLogin = (login: string): string => createHash('sha256').update(foldCase(login)).digest('base64url');

/**
 * Limits guesses at administrators' passwords without letting strangers lock an administrator out. An address with too
 * many failures is refused (429); a login with many failures, from any number of addresses, is slowed down but never
 * refused. An address from which the administrator has signed in before is exempt from both: only its own failures
 * slow it down. Each attempt counts as a failure from its start until it succeeds, so parallel guesses count.
 */
export async function admitSignIn(ctx: AppContext, attempt: SignInAttempt): Promise<AdmittedSignIn> {
  const { db, config } = ctx;
  const hashes = config.sessionKeys.map((key) => hashAddress(key, attempt));
  const isKnown = await isKnownAddress(db, attempt.login, hashes);
  const remember = (userId: string) => insertKnownAddress(db, userId, hashes[0] ?? hashAddress('', attempt));
  if (config.rateLimitScale === 0) return { isKnownAddress: isKnown, succeed: remember };

  const login = hashLogin(attempt.login);
  const keys = isKnown
    ? { slow: `adminSignIn:known:${login}:${attempt.address}` }
    : { slow: `adminSignIn:login:${login}`, refuse: `adminSignIn:address:${attempt.address}` };
  const refund = await admitGuess(ctx, 'adminSignIn', keys, attempt.signal);
  return {
    isKnownAddress: isKnown,
    async succeed(userId) {
      await refund();
      await remember(userId);
    },
  };
}

/** Where guesses count: `slow` delays those beyond the limit, `refuse` refuses them. */
interface GuessKeys {
  slow: string;
  refuse?: string;
}

/** Counts a guess at a secret as a failure. Returns what takes it back, for the right one. @throws {AppError} rate_limited */
export async function admitGuess(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  limit: LimitName,
  keys: GuessKeys,
  signal?: AbortSignal,
): Promise<() => Promise<void>> {
  if (config.rateLimitScale === 0) return async () => {};
  const { seconds } = RATE_LIMITS[limit];
  const points = RATE_LIMITS[limit].points * config.rateLimitScale;
  if (keys.refuse !== undefined) {
    const counted = await countInWindow(db, keys.refuse, seconds);
    if (counted.count > points) throw new AppError('rate_limited', { retryAfter: counted.secondsLeft });
  }
  const { count: failures } = await countInWindow(db, keys.slow, seconds);
  await delay(getSignInDelay(failures - 1, points), signal);
  return () => refundWindows(db, Object.values(keys));
}

async function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (ms === 0) return;
  if (waiting >= MAX_WAITING) throw new AppError('overloaded');
  waiting++;
  try {
    await sleep(ms, undefined, { signal });
  } catch {
    throw new AppError('client_closed_request');
  } finally {
    waiting--;
  }
}
