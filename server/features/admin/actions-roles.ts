import type { App } from '../../app.ts';
import type { Trx } from '../../db/connect.ts';
import type { UserRow } from '../../db/tables.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError, conflict, forbidden, notFound } from '../../errors.ts';
import { type Actor, isAdmin, isSelf } from '../../policy.ts';
import { recordAudit } from '../audit/store.ts';
import { endSessions, lockWithAdmins } from '../users/removal-store.ts';
import type { Origin } from './actions-users.ts';

const setRole = async (trx: Trx, user: UserRow, role: UserRow['role']): Promise<void> => {
  await trx('users').where({ id: user.id }).update({ role });
  // whoever was an administrator a moment ago signs in anew
  if (role === 'user') await endSessions(trx, user.id);
};

/** Makes a user an administrator, or takes that away and ends their sessions. Says whether anything changed. */
export const setAdminRole = (
  app: App,
  actor: Actor,
  id: string,
  shallBeAdmin: boolean,
  { requestId, reason }: Origin = {},
): Promise<boolean> =>
  inTransaction(app.db, async (trx) => {
    if (!isAdmin(actor)) throw forbidden();
    const { user, admins } = await lockWithAdmins(trx, id);
    if (user === undefined || user.deleted_at !== null) throw notFound('User not found');
    if ((user.role === 'admin') === shallBeAdmin) return false;
    if (shallBeAdmin && user.banned_at !== null) throw conflict('A banned user cannot become an administrator');
    if (!shallBeAdmin && isSelf(actor, id)) throw conflict('You cannot revoke your own role');
    if (!shallBeAdmin && admins.length === 1 && admins[0]?.id === id) throw new AppError('last_admin');
    await setRole(trx, user, shallBeAdmin ? 'admin' : 'user');
    const action = shallBeAdmin ? 'user.grant-admin' : 'user.revoke-admin';
    await recordAudit(trx, actor, { action, targetType: 'user', targetId: id, details: { reason }, requestId });
    return true;
  });
