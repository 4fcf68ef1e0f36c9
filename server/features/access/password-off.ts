import { randomBytes } from 'node:crypto';
import type { AppContext } from '../../app-context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { conflict, notFound } from '../../errors.ts';
import type { UserActor } from '../../policy.ts';
import { recordAudit } from '../audit/repository.ts';
import { getPasswords } from '../auth/password.ts';
import { switchPasswordOff } from '../auth/repository.ts';
import type { SessionChange } from '../sessions/session-renewal.ts';
import { lockActiveAdmin } from '../users/active-actor.ts';
import { concludeChange } from './changes.ts';
import { lockForChange } from './passkeys.ts';
import { listPasskeys } from './passkeys-repository.ts';

/**
 * Lets an administrator in with passkeys only. `marketctl admin reset-password` sets a password again. @throws {AppError}
 * not_found (no password), conflict (no passkey)
 */
export async function switchOwnPasswordOff(ctx: AppContext, actor: UserActor, change: SessionChange): Promise<void> {
  const hashOfNothing = await getPasswords(ctx).hash(randomBytes(32).toString('base64url'));
  await inTransaction(ctx.db, async (trx) => {
    await lockForChange(trx, actor, change.sessionHash);
    await lockActiveAdmin(trx, actor);
    if ((await listPasskeys(trx, actor.id)).length === 0) throw conflict('errors.passkeyFirst');
    if (!(await switchPasswordOff(trx, actor.id, hashOfNothing))) throw notFound('errors.noPassword');
    await concludeChange(trx, ctx, { userId: actor.id, params: { is: 'passwordOff' } }, change);
    await recordAudit(trx, actor, {
      action: 'password.switch-off',
      target: ['user', actor.id],
      requestId: change.requestId,
    });
  });
}
