import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { type LimitName, RATE_LIMITS } from '../../../contract/limits.ts';
import type { AppContext } from '../../app-context.ts';
import type { Db } from '../../db/pools.ts';
import { queryPrepared } from '../../db/prepared.ts';
import { AppError } from '../../errors.ts';

export interface RateLimits {
  consume(name: LimitName, key: string): Promise<void>;
  /** Refuses who has used up the limit, and counts nothing. @throws {AppError} rate_limited */
  refuse(name: LimitName, key: string): Promise<void>;
}

type Limiter = Pick<RateLimiterMemory, 'consume' | 'get' | 'points'>;

interface LimiterQuery {
  text: string;
  values: (string | number)[];
}

/** The limiter names its own prepared statements, which PgBouncer before 1.21 loses. */
const storeOf = (db: Db) => ({
  query: async ({ text, values }: LimiterQuery) => {
    const bindings = Object.fromEntries(values.map((value, i) => [`p${i + 1}`, value]));
    return { rows: await queryPrepared(db, text.replace(/\$(\d+)/g, ':p$1'), bindings) };
  },
});

function openLimiter({ db, config }: AppContext, name: LimitName): Limiter {
  const { points, seconds, memory } = RATE_LIMITS[name];
  const options = { keyPrefix: name, points: points * config.rateLimitScale, duration: seconds };
  const local = new RateLimiterMemory(options);
  if (memory) return local;
  return new RateLimiterPostgres({
    ...options,
    storeClient: storeOf(db),
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
    // while Postgres is unavailable each replica counts for itself
    insuranceLimiter: local,
    // refuses an actor over the limit without a query
    inMemoryBlockOnConsumed: options.points,
  });
}

export function createRateLimits(appContext: AppContext): RateLimits {
  if (appContext.config.rateLimitScale === 0) return { consume: async () => {}, refuse: async () => {} };
  const limiters = new Map<LimitName, Limiter>();
  for (const name of Object.keys(RATE_LIMITS) as LimitName[]) limiters.set(name, openLimiter(appContext, name));
  const toError = ({ msBeforeNext }: RateLimiterRes) =>
    new AppError('rate_limited', { retryAfter: msBeforeNext / 1000 });
  return {
    async consume(name, key) {
      try {
        await limiters.get(name)?.consume(key);
      } catch (refusal) {
        throw refusal instanceof RateLimiterRes ? toError(refusal) : refusal;
      }
    },
    async refuse(name, key) {
      const limiter = limiters.get(name);
      const used = await limiter?.get(key);
      if (limiter && used && used.consumedPoints >= limiter.points) throw toError(used);
    },
  };
}
