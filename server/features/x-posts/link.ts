import type { XTokens } from '../../adapters/x.ts';
import type { Config } from '../../config.ts';
import type { XAccountRow } from './account-store.ts';
import { openVault, type Vault } from './vault.ts';

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

export const vaultOf = ({ tokenEncKey }: Pick<Config, 'tokenEncKey'>): Vault => openVault(tokenEncKey ?? []);

/** A token pair as it may be stored. */
export const sealTokens = (vault: Vault, { user_id: userId, env }: Owner, tokens: XTokens) => ({
  access_token: vault.seal(tokens.accessToken, { userId, env, kind: 'access' }),
  refresh_token:
    tokens.refreshToken === null ? null : vault.seal(tokens.refreshToken, { userId, env, kind: 'refresh' }),
  token_key_id: vault.keyId,
  scopes: tokens.scopes,
});

export const openTokens = (vault: Vault, row: XAccountRow): { access: string | null; refresh: string | null } => {
  const { user_id: userId, env, token_key_id: keyId } = row;
  const open = (sealed: Buffer | null, kind: 'access' | 'refresh') =>
    sealed && keyId ? vault.open(sealed, keyId, { userId, env, kind }) : null;
  return { access: open(row.access_token, 'access'), refresh: open(row.refresh_token, 'refresh') };
};
