import { XError } from '../../adapters/x.ts';
import type { App } from '../../app.ts';
import type { Trx } from '../../db/connect.ts';
import { lockAccount, saveTokens, setAccountStatus, waitLonger, type XAccountRow } from './account-store.ts';
import { canPost, openTokens, sealTokens, vaultOf } from './link.ts';

/** `broken`: only the person can mend it, by connecting again. `later`: X or our own credentials are at fault. */
export type Access = { token: string } | { failure: 'broken' } | { failure: 'later'; error: XError };

const SPARE_MS = 60_000;

/**
 * An access token that X should accept, refreshed where it must be. Refresh tokens work once: the row stays locked until
 * the new pair is stored, so of twenty workers one refreshes and the others take what it got. `refused` is a token that X
 * did not accept just now.
 */
export const getAccessToken = (app: App, userId: string, refused?: string): Promise<Access> =>
  // not inTransaction: the work must not be done again once a refresh token is used up
  app.db.transaction(async (trx) => {
    await waitLonger(trx);
    const account = await lockAccount(trx, userId);
    if (!account || !canPost(account, app.config.xMode)) return { failure: 'broken' };
    const { access, refresh } = openTokens(vaultOf(app.config), account);
    const lastsUntil = Date.parse(account.access_expires_at ?? '') - SPARE_MS;
    if (access && access !== refused && lastsUntil > app.clock.now().valueOf()) return { token: access };
    return refresh ? renew(trx, app, account, refresh) : breakLink(trx, account);
  });

async function renew(trx: Trx, app: App, account: XAccountRow, refresh: string): Promise<Access> {
  try {
    const tokens = await app.x.refresh(refresh);
    // X need not repeat what did not change
    const scopes = tokens.scopes.length > 0 ? tokens.scopes : account.scopes;
    const kept = { ...tokens, scopes, refreshToken: tokens.refreshToken ?? refresh };
    await saveTokens(trx, account.user_id, sealTokens(vaultOf(app.config), account, kept), tokens.expiresIn);
    return { token: tokens.accessToken };
  } catch (error) {
    if (!(error instanceof XError)) throw error;
    const isRefused = error.status === 400 && /^invalid_(request|grant)$/.test(error.problem ?? '');
    if (isRefused) return breakLink(trx, account);
    const isOurs = /^(unauthorized|invalid)_client$/.test(error.problem ?? '');
    app.log[isOurs ? 'error' : 'warn']({ err: error, userId: account.user_id }, 'X did not refresh a token');
    return { failure: 'later', error };
  }
}

const breakLink = async (trx: Trx, account: XAccountRow): Promise<Access> => {
  await setAccountStatus(trx, account.user_id, 'reauth');
  return { failure: 'broken' };
};
