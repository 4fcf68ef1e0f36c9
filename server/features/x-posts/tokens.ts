import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { AppContext } from '../../app-context.ts';
import type { Config } from '../../config/load.ts';
import type { Trx } from '../../db/pools.ts';
import { XError, type XTokens } from '../../integrations/x/client.ts';
import { enqueue, type JobPayloads } from '../../jobs/queue.ts';
import {
  deleteAccount,
  extendLockTimeout,
  lockAccount,
  saveTokens,
  setAccountStatus,
  type XAccountRow,
} from './repository.ts';

/** `broken`: only the person can mend it, by connecting again. `later`: X or our own credentials are at fault. */
export type Access = { token: string } | { failure: 'broken' } | { failure: 'later'; error: XError };

const SPARE_MS = 60_000;

/**
 * An access token that X should accept, refreshed where it must be. Refresh tokens work once: the row stays locked until
 * the new pair is stored, so of twenty workers one refreshes and the others take what it got. `refused` is a token that X
 * did not accept just now.
 */
export const getAccessToken = (ctx: AppContext, userId: string, refused?: string): Promise<Access> =>
  // not inTransaction: the work must not be done again once a refresh token is used up
  ctx.db.transaction(async (trx) => {
    await extendLockTimeout(trx);
    const account = await lockAccount(trx, userId);
    if (!account || !canPost(account, ctx.config.xMode)) return { failure: 'broken' };
    const { access, refresh } = decryptTokens(getTokenEncryption(ctx.config), account);
    const lastsUntil = Date.parse(account.access_expires_at ?? '') - SPARE_MS;
    if (access && access !== refused && lastsUntil > ctx.clock.now().valueOf()) return { token: access };
    return refresh ? renew(trx, ctx, account, refresh) : breakLink(trx, account);
  });

async function renew(trx: Trx, ctx: AppContext, account: XAccountRow, refresh: string): Promise<Access> {
  try {
    const tokens = await ctx.x.refresh(refresh);
    // X need not repeat what did not change
    const scopes = tokens.scopes.length > 0 ? tokens.scopes : account.scopes;
    const kept = { ...tokens, scopes, refreshToken: tokens.refreshToken ?? refresh };
    await saveTokens(
      trx,
      account.user_id,
      encryptTokens(getTokenEncryption(ctx.config), account, kept),
      tokens.expiresIn,
    );
    return { token: tokens.accessToken };
  } catch (error) {
    if (!(error instanceof XError)) throw error;
    const isRefused = error.status === 400 && /^invalid_(request|grant)$/.test(error.problem ?? '');
    if (isRefused) return breakLink(trx, account);
    const isOurs = /^(unauthorized|invalid)_client$/.test(error.problem ?? '');
    ctx.log[isOurs ? 'error' : 'warn']({ err: error, userId: account.user_id }, 'X did not refresh a token');
    return { failure: 'later', error };
  }
}

const breakLink = async (trx: Trx, account: XAccountRow): Promise<Access> => {
  await setAccountStatus(trx, account.user_id, 'reauth');
  return { failure: 'broken' };
};

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Whose token it is; a ciphertext copied to another row does not open. */
export interface TokenOwner {
  userId: string;
  env: 'live' | 'sandbox';
  kind: 'access' | 'refresh';
}

export interface TokenEncryption {
  /** Id of the key that seals from now on. */
  keyId: string;
  seal(token: string, owner: TokenOwner): Buffer;
  /** @throws when the key is gone, or the bytes are not what was sealed for this owner */
  open(sealed: Buffer, keyId: string, owner: TokenOwner): string;
}

/** Seals tokens with AES-256-GCM: IV, tag, ciphertext. The first secret seals, all open (TOKEN_ENC_KEY). */
export const createTokenEncryption = (secrets: readonly string[]): TokenEncryption => {
  const keys = new Map(secrets.map((secret) => [keyIdOf(secret), keyOf(secret)]));
  const keyId = keyIdOf(secrets[0] ?? '');
  return {
    keyId,
    seal(token, owner) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, findKey(keys, keyId), iv).setAAD(aadOf(owner));
      const sealed = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
    },
    open(sealed, id, owner) {
      const iv = sealed.subarray(0, IV_BYTES);
      const tag = sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
      const decipher = createDecipheriv(ALGORITHM, findKey(keys, id), iv, { authTagLength: TAG_BYTES });
      decipher.setAAD(aadOf(owner)).setAuthTag(tag);
      return decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    },
  };
};

/** Secrets are long random texts, so one hash makes a key; the id tells keys apart and says nothing about them. */
const keyOf = (secret: string) => createHash('sha256').update(`tradepost x token key\n${secret}`).digest();
const keyIdOf = (secret: string) =>
  createHash('sha256').update(`tradepost x token key id\n${secret}`).digest('hex').slice(0, 16);

const findKey = (keys: Map<string, Buffer>, id: string): Buffer => {
  const key = keys.get(id);
  if (!key) throw new Error(`no key ${id} in TOKEN_ENC_KEY`);
  return key;
};

const aadOf = ({ userId, env, kind }: TokenOwner) => Buffer.from(`${env}:${userId}:${kind}`);

/** What posting needs beyond signing in. Asked for when a person first wants a post, never before. */
export const POSTING_SCOPES = ['users.read', 'tweet.read', 'tweet.write', 'offline.access'] as const;

/** X may grant less than was asked for. */
export const allowsPosting = (scopes: readonly string[]): boolean =>
  POSTING_SCOPES.every((scope) => scopes.includes(scope));

/** The link works as far as we know. A row of the other X (live or sandbox) counts as none. */
export const canPost = (account: XAccountRow, mode: XAccountRow['env']): boolean =>
  isLinked(account, mode) && account.status === 'ok' && allowsPosting(account.scopes);

export const isLinked = (account: XAccountRow, mode: XAccountRow['env']): boolean =>
  account.env === mode && account.access_token !== null && account.status !== 'revoked';

type Owner = Pick<XAccountRow, 'user_id' | 'env'>;

export const getTokenEncryption = ({ tokenEncKey }: Pick<Config, 'tokenEncKey'>): TokenEncryption =>
  createTokenEncryption(tokenEncKey ?? []);

/** A token pair as it may be stored. */
export const encryptTokens = (vault: TokenEncryption, { user_id: userId, env }: Owner, tokens: XTokens) => ({
  access_token: vault.seal(tokens.accessToken, { userId, env, kind: 'access' }),
  refresh_token:
    tokens.refreshToken === null ? null : vault.seal(tokens.refreshToken, { userId, env, kind: 'refresh' }),
  token_key_id: vault.keyId,
  scopes: tokens.scopes,
});

export const decryptTokens = (
  vault: TokenEncryption,
  row: XAccountRow,
): { access: string | null; refresh: string | null } => {
  const { user_id: userId, env, token_key_id: keyId } = row;
  const open = (sealed: Buffer | null, kind: 'access' | 'refresh') =>
    sealed && keyId ? vault.open(sealed, keyId, { userId, env, kind }) : null;
  return { access: open(row.access_token, 'access'), refresh: open(row.refresh_token, 'refresh') };
};

type SealedTokens = JobPayloads['revoke-x-tokens'];

/** Deletes a person's link to X; X is asked to forget its tokens as soon as this transaction commits. */
export async function dropLink(trx: Trx, userId: string): Promise<void> {
  const account = await lockAccount(trx, userId);
  if (!account) return;
  await queueRevocation(trx, account);
  await deleteAccount(trx, userId);
}

/** The queue holds the tokens sealed as the row did, and no longer than it takes. */
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

/** Revokes both tokens: whether one takes the other along is not documented. Tried again for as long as X is away. */
export async function revokeTokens(ctx: AppContext, sealed: SealedTokens): Promise<void> {
  if (sealed.env !== ctx.config.xMode) return;
  for (const kind of ['refresh', 'access'] as const) {
    const token = openToken(ctx, sealed, kind);
    if (token) await revokeToken(ctx, token);
  }
}

const openToken = (ctx: AppContext, sealed: SealedTokens, kind: 'access' | 'refresh'): string | null => {
  const bytes = sealed[kind];
  return bytes && getTokenEncryption(ctx.config).open(Buffer.from(bytes, 'base64'), sealed.keyId, { ...sealed, kind });
};

/** A refusal is final: X knows no such token any more, or never will. */
async function revokeToken(ctx: AppContext, token: string): Promise<void> {
  try {
    await ctx.x.revoke(token);
  } catch (error) {
    const isFinal = error instanceof XError && error.status !== undefined && error.status < 429;
    if (!isFinal) throw error;
    ctx.log.warn({ err: error }, 'X refused to revoke a token');
  }
}
