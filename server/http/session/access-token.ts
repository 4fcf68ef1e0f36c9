import type { Context } from 'koa';
import type { AppContext } from '../../app-context.ts';
import { limitKey } from '../../endpoints/client-address.ts';
import { AppError } from '../../errors.ts';
import { findTokenHolder, noteTokenUse } from '../../features/auth/token-repository.ts';
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

export const createTokenReader = ({ db }: Pick<AppContext, 'db'>, limits: RateLimits): TokenReader => ({
  async readActor(ctx) {
    const token = readBearer(ctx.req);
    if (token === undefined) return undefined;
    if (!isTokenText(token)) throw invalidToken();
    const address = limitKey(ANONYMOUS, ctx.state.ip);
    await limits.refuse('unknownToken', address);
    const holder = await findTokenHolder(db, hashToken(token));
    if (holder === undefined) {
      await limits.consume('unknownToken', address);
      throw invalidToken();
    }
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
});
