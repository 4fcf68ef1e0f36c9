import type { NewAccessToken } from '../../../contract/access-tokens.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { AppContext } from '../../app-context.ts';
import { getNow, type Trx } from '../../db/pools.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError, conflict, invalid, notFound } from '../../errors.ts';
import { type Actor, mayHaveScope, type OperatorActor, type UserActor } from '../../policy.ts';
import { type AuditContext, recordAudit } from '../audit/repository.ts';
import { countLiveTokens, deleteToken, endTokens, insertToken, type TokenRow } from '../auth/token-repository.ts';
import { createTokenText, hashToken } from '../auth/token-text.ts';
import { tellOfAccess } from '../notifications/access-news.ts';
import type { SessionChange } from '../sessions/session-renewal.ts';
import { checkActive, lockActiveActor, lockActiveAdmin } from '../users/active-actor.ts';
import { lockUserForUpdate } from '../users/repository.ts';
import { lockForChange } from './passkeys.ts';

/** A token that was just made. Its text exists here alone. */
export interface CreatedToken extends TokenRow {
  token: string;
}

async function create(
  trx: Trx,
  ctx: Pick<AppContext, 'config'>,
  userId: string,
  { name, scopes, days }: NewAccessToken,
): Promise<CreatedToken> {
  // locked, so that of two at once the second counts the first
  const user = await lockUserForUpdate(trx, userId);
  if (user === undefined || user.deleted_at !== null) throw notFound('errors.userNotFound');
  checkActive(user, getNow(trx));
  const refused = scopes.filter((scope) => !mayHaveScope(user, scope));
  if (refused.length > 0)
    throw invalid({ scopes: { key: 'errors.staffScopes', values: { scopes: refused.join(', ') } } });
  if ((await countLiveTokens(trx, userId)) >= LIMITS.accessTokens)
    throw conflict('errors.tokensFull', { max: LIMITS.accessTokens });
  const token = createTokenText();
  const stored = { user_id: userId, token_hash: hashToken(token), last_four: token.slice(-4), name, scopes, days };
  const row = await insertToken(trx, stored);
  await tellOfAccess(trx, ctx, {
    userId,
    params: { is: 'tokenMade', name, days, scopes },
    url: '/preferences#access-tokens',
  });
  return { ...row, token };
}

const audit = (trx: Trx, actor: Actor, verb: 'create' | 'revoke', row: TokenRow, context: AuditContext) => {
  const { id, user_id, name, scopes, expires_at } = row;
  const details = { token: id, name, scopes, expiresAt: expires_at, reason: context.reason };
  return recordAudit(trx, actor, {
    action: `token.${verb}`,
    target: ['user', user_id],
    details,
    ...(context.requestId && { requestId: context.requestId }),
  });
};

/** Makes a token of the actor. @throws {AppError} validation_failed (staff scopes), conflict (too many) */
export const createOwnToken = (
  ctx: AppContext,
  actor: UserActor,
  input: NewAccessToken,
  { sessionHash, ...context }: SessionChange,
): Promise<CreatedToken> =>
  inTransaction(ctx.db, async (trx) => {
    await lockForChange(trx, actor, sessionHash);
    const created = await create(trx, ctx, actor.id, input);
    await audit(trx, actor, 'create', created, context);
    return created;
  });

/** Makes a token of a person for the operator. @throws {AppError} not_found, and as createOwnToken */
export const createTokenFor = (
  ctx: AppContext,
  actor: OperatorActor,
  userId: string,
  input: NewAccessToken,
  context: AuditContext = {},
): Promise<CreatedToken> =>
  inTransaction(ctx.db, async (trx) => {
    const created = await create(trx, ctx, userId, input);
    await audit(trx, actor, 'create', created, context);
    return created;
  });

/** @throws {AppError} not_found */
export const revokeOwnToken = (
  ctx: AppContext,
  actor: UserActor,
  id: string,
  context: AuditContext = {},
): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveActor(trx, actor);
    const row = await deleteToken(trx, { id, userId: actor.id });
    if (row === undefined) throw notFound('errors.tokenNotFound');
    await audit(trx, actor, 'revoke', row, context);
  });

/** Revokes anybody's token. @throws {AppError} forbidden, not_found */
export const revokeToken = (ctx: AppContext, actor: Actor, id: string, context: AuditContext = {}): Promise<TokenRow> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveAdmin(trx, actor);
    const row = await deleteToken(trx, { id });
    if (row === undefined) throw new AppError('not_found', { message: `There is no access token ${id}` });
    await audit(trx, actor, 'revoke', row, context);
    return row;
  });

/** Revokes all tokens of a person. Returns how many. @throws {AppError} forbidden */
export const revokeTokensOf = (
  ctx: AppContext,
  actor: Actor,
  userId: string,
  { reason }: AuditContext = {},
): Promise<number> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveAdmin(trx, actor);
    const revoked = await endTokens(trx, userId);
    if (revoked > 0)
      await recordAudit(trx, actor, { action: 'token.revoke', target: ['user', userId], details: { revoked, reason } });
    return revoked;
  });
