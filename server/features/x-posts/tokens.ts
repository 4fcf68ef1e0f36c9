import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import { XError, type XTokens } from '../../integrations/x/client.ts';
import { enqueue, type JobPayloads } from '../../jobs/queue.ts';
import { createEncryption } from '../../lib/encryption.ts';
import {
  deleteAccount,
  extendLockTimeout,
  lockAccount,
  saveTokens,
  setAccountStatus,
  type XAccountRow,
} from './repository.ts';

/** The token's owner; a ciphertext copied to another row does not decrypt. */
export interface TokenOwner {
  userId: string;
  env: 'live' | 'sandbox';
  kind: 'access' | 'refresh';
}

export interface TokenEncryption {
  keyId: string;
  encrypt(token: string, owner: TokenOwner): Buffer;
  /** @throws when the key is gone, or the bytes were not encrypted for this owner */
  decrypt(encrypted: Buffer, keyId: string, owner: TokenOwner): string;
}

const toOwner = ({ userId, env, kind }: TokenOwner): string => `${env}:${userId}:${kind}`;

/** Encrypts tokens with the keys of TOKEN_ENC_KEY. */
export const createTokenEncryption = (secrets: readonly string[]): TokenEncryption => {
  const { keyId, encrypt, decrypt } = createEncryption(secrets);
  return {
    keyId,
    encrypt: (token, owner) => encrypt(token, toOwner(owner)),
    decrypt: (encrypted, id, owner) => decrypt(encrypted, id, toOwner(owner)),
  };
};

/** Scopes beyond those of sign-in, requested only when a user first wants to post. */
export const POSTING_SCOPES = ['users.read', 'tweet.read', 'tweet.write', 'offline.access'] as const;

/** X may grant fewer scopes than requested. */
export const allowsPosting = (scopes: readonly string[]): boolean =>
  POSTING_SCOPES.every((scope) => scopes.includes(scope));

/** A row of the other X (live or sandbox) is not a link. */
export const isLinked = (account: XAccountRow, mode: XAccountRow['env']): boolean =>
  account.env === mode && account.access_token !== null && account.status !== 'revoked';

export const canPost = (account: XAccountRow, mode: XAccountRow['env']): boolean =>
  isLinked(account, mode) && account.status === 'ok' && allowsPosting(account.scopes);

type Owner = Pick<XAccountRow, 'user_id' | 'env'>;

export const encryptTokens = (encryption: TokenEncryption, { user_id: userId, env }: Owner, tokens: XTokens) => {
  const { accessToken, refreshToken } = tokens;
  return {
    access_token: encryption.encrypt(accessToken, { userId, env, kind: 'access' }),
    refresh_token: refreshToken === null ? null : encryption.encrypt(refreshToken, { userId, env, kind: 'refresh' }),
    token_key_id: encryption.keyId,
    scopes: tokens.scopes,
  };
};

export const decryptTokens = (
  encryption: TokenEncryption,
  row: XAccountRow,
): { access: string | null; refresh: string | null } => {
  const { user_id: userId, env, token_key_id: keyId } = row;
  const decrypt = (encrypted: Buffer | null, kind: 'access' | 'refresh') =>
    encrypted && keyId ? encryption.decrypt(encrypted, keyId, { userId, env, kind }) : null;
  return { access: decrypt(row.access_token, 'access'), refresh: decrypt(row.refresh_token, 'refresh') };
};

/** `broken`: the user must connect again. `later`: X or our own credentials are at fault. */
export type Access = { token: string } | { failure: 'broken' } | { failure: 'later'; error: XError };

const SPARE_MS = 60_000;

/**
 * A valid access token, refreshed if needed. A refresh token works once: the row stays locked until the new pair is
 * stored, so that of several workers one refreshes and the others use the result. `refused` is a token that X has just
 * refused.
 */
export const getAccessToken = (ctx: AppContext, userId: string, refused?: string): Promise<Access> =>
  // not inTransaction, which may run its work again: the refresh token would already be used
  ctx.db.transaction(async (trx) => {
    await extendLockTimeout(trx);
    const account = await lockAccount(trx, userId);
    if (!account || !canPost(account, ctx.config.x.mode)) return { failure: 'broken' };
    const { access, refresh } = decryptTokens(createTokenEncryption(ctx.config.tokenEncKey), account);
    const lastsUntil = Date.parse(account.access_expires_at ?? '') - SPARE_MS;
    if (access && access !== refused && lastsUntil > ctx.clock.now().valueOf()) return { token: access };
    return refresh ? refreshTokens(trx, ctx, account, refresh) : markBroken(trx, account);
  });

async function refreshTokens(trx: Trx, ctx: AppContext, account: XAccountRow, refreshToken: string): Promise<Access> {
  try {
    const fresh = await ctx.x.refresh(refreshToken);
    // X may omit unchanged scopes
    const scopes = fresh.scopes.length > 0 ? fresh.scopes : account.scopes;
    const tokens = { ...fresh, scopes, refreshToken: fresh.refreshToken ?? refreshToken };
    const encrypted = encryptTokens(createTokenEncryption(ctx.config.tokenEncKey), account, tokens);
    await saveTokens(trx, account.user_id, encrypted, fresh.expiresIn);
    return { token: fresh.accessToken };
  } catch (error) {
    if (!(error instanceof XError)) throw error;
    const isRefused = error.status === 400 && /^invalid_(request|grant)$/.test(error.problem ?? '');
    if (isRefused) return markBroken(trx, account);
    const isOurs = /^(unauthorized|invalid)_client$/.test(error.problem ?? '');
    ctx.log[isOurs ? 'error' : 'warn']({ err: error, userId: account.user_id }, 'X did not refresh a token');
    return { failure: 'later', error };
  }
}

const markBroken = async (trx: Trx, account: XAccountRow): Promise<Access> => {
  await setAccountStatus(trx, account.user_id, 'reauth');
  return { failure: 'broken' };
};

type EncryptedTokens = JobPayloads['revoke-x-tokens'];

/** Deletes a user's link to X; a job revokes its tokens at X once the transaction commits. */
export async function disconnectAccount(trx: Trx, userId: string): Promise<void> {
  const account = await lockAccount(trx, userId);
  if (!account) return;
  await queueRevocation(trx, account);
  await deleteAccount(trx, userId);
}

/** The job's payload holds the encrypted tokens of the row. */
export async function queueRevocation(trx: Trx, account: XAccountRow): Promise<void> {
  if (!account.token_key_id) return;
  await enqueue(trx, 'revoke-x-tokens', {
    userId: account.user_id,
    env: account.env,
    keyId: account.token_key_id,
    access: account.access_token?.toString('base64') ?? null,
    refresh: account.refresh_token?.toString('base64') ?? null,
  });
}

/** Revokes both tokens: X does not document whether one revokes the other. Retries while X is unreachable. */
export async function revokeTokens(ctx: AppContext, encrypted: EncryptedTokens): Promise<void> {
  if (encrypted.env !== ctx.config.x.mode) return;
  const encryption = createTokenEncryption(ctx.config.tokenEncKey);
  for (const kind of ['refresh', 'access'] as const) {
    const bytes = encrypted[kind];
    if (bytes === null) continue;
    await revokeToken(ctx, encryption.decrypt(Buffer.from(bytes, 'base64'), encrypted.keyId, { ...encrypted, kind }));
  }
}

/** A refusal is final: X no longer knows the token. */
async function revokeToken(ctx: AppContext, token: string): Promise<void> {
  try {
    await ctx.x.revoke(token);
  } catch (error) {
    const isFinal = error instanceof XError && error.status !== undefined && error.status < 429;
    if (!isFinal) throw error;
    ctx.log.warn({ err: error }, 'X refused to revoke a token');
  }
}
