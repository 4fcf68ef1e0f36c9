import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import { RATE_LIMITS } from '../../../contract/limits.ts';
import type { AppContext } from '../../app-context.ts';
import { limitKey } from '../../endpoints/client-address.ts';
import { AppError } from '../../errors.ts';
import { findTokenHolder, noteTokenUse, type TokenHolder } from '../../features/auth/token-repository.ts';
import { hashToken, isTokenText } from '../../features/auth/token-text.ts';
import { ANONYMOUS, type UserActor } from '../../policy.ts';
import type { RateLimits } from '../middleware/rate-limit.ts';
import { readBearer } from '../request/request-info.ts';

const invalidToken = () =>
  new AppError('invalid_token', { headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } });

export interface TokenReader {
  /**
   * The person of the request's access token, undefined if it has none. Asks the database each time, so a token ends at
   * once. @throws {AppError} invalid_token, rate_limited (too many wrong ones from this address)
   */
  readActor(ctx: Context): Promise<UserActor | undefined>;
}

export function createTokenReader({ db }: Pick<AppContext, 'db'>, limits: RateLimits): TokenReader {
  // Whether each of the last tokens existed, by hash. One that did not never will: a program that goes on with a token that
  // was revoked costs no query, and the limit, which many programs of one address share, counts it once.
  const existed = new LRUCache<string, boolean>({ max: 10_000, ttl: RATE_LIMITS.unknownToken.seconds * 1000 });

  async function findHolder(token: string, ip: string): Promise<TokenHolder> {
    const hash = hashToken(token);
    const key = hash.toString('base64');
    const address = limitKey(ANONYMOUS, ip);
    if (existed.get(key) === false) throw invalidToken();
    // somebody else at the address may guess: what works goes on
    if (!existed.has(key)) await limits.refuse('unknownToken', address);
    const holder = await findTokenHolder(db, hash);
    existed.set(key, holder !== undefined);
    if (holder) return holder;
    await limits.consume('unknownToken', address);
    throw invalidToken();
  }

  return {
    async readActor(ctx) {
      const token = readBearer(ctx.req);
      if (token === undefined) return undefined;
      if (!isTokenText(token)) throw invalidToken();
      const holder = await findHolder(token, ctx.state.ip);
      if (holder.is_stale) await noteTokenUse(db, holder.id);
      const { id, user_id, scopes, role, suspended_until, has_blocks } = holder;
      return {
        kind: 'user',
        id: user_id,
        role,
        hasBlocks: has_blocks,
        suspendedUntil: suspended_until,
        token: { id, scopes },
      };
    },
  };
}
