import type { XTokens } from '../../adapters/x.ts';
import type { App } from '../../app.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { UserActor } from '../../policy.ts';
import { holdActor } from '../users/standing.ts';
import { lockAccount, saveLink } from './account-store.ts';
import { allowsPosting, sealTokens, vaultOf } from './link.ts';
import { queueRevocation } from './revocation.ts';

/** `other-account`: consent was given by somebody else than who is signed in here. `scopes`: less was granted than posting needs. */
export type ConnectResult = 'connected' | 'other-account' | 'scopes';

/**
 * Links the signed-in person's X account for posting, with the tokens that its consent page gave. Agreeing to posts is
 * another step (changeConsent, or the box in the form). Throws XError.
 */
export async function connectX(app: App, actor: UserActor, tokens: XTokens): Promise<ConnectResult> {
  const profile = await app.x.me(tokens.accessToken);
  const result = await inTransaction(app.db, async (trx): Promise<ConnectResult> => {
    const user = await holdActor(trx, actor);
    if (user.x_id !== profile.id) return 'other-account';
    if (!allowsPosting(tokens.scopes) || !tokens.refreshToken) return 'scopes';
    const owner = { user_id: user.id, env: app.config.xMode };
    const sealed = sealTokens(vaultOf(app.config), owner, tokens);
    const before = await lockAccount(trx, actor.id);
    if (before) await queueRevocation(trx, before);
    await saveLink(trx, { ...owner, x_id: profile.id, ...sealed }, tokens.expiresIn);
    return 'connected';
  });
  if (result !== 'connected') await revokeAll(app, tokens);
  return result;
}

/** What may not be used is not kept at X either. */
const revokeAll = async (app: App, { accessToken, refreshToken }: XTokens): Promise<void> => {
  for (const token of [refreshToken, accessToken])
    if (token) await app.x.revoke(token).catch((err: unknown) => app.log.warn({ err }, 'tokens were not revoked'));
};
