import { publish } from '../../db/events.ts';
import type { Trx } from '../../db/pools.ts';
import type { UserRow } from '../../db/rows.ts';
import { insertBan } from '../auth/repository.ts';
import { dropLink } from '../x-posts/tokens.ts';

/** A seller may have tens of thousands of ads, each in ten indexes. */
export const allowManyAds = async (trx: Trx): Promise<void> => {
  await trx.raw("set local statement_timeout = '2min'");
};

/**
 * The user and every administrator, locked in order of id: of two administrators who remove each other at the same moment,
 * the second finds out about the first.
 */
export const lockWithAdmins = async (trx: Trx, id: string): Promise<{ user?: UserRow; admins: UserRow[] }> => {
  await allowManyAds(trx);
  const rows = await trx<UserRow>('users').where({ id }).orWhere({ role: 'admin' }).orderBy('id').forUpdate();
  const admins = rows.filter((row) => row.role === 'admin' && row.banned_at === null && row.deleted_at === null);
  return { user: rows.find((row) => row.id === id), admins };
};

/** Ends every session of a person; every replica drops what it holds of them. */
export const endSessions = async (trx: Trx, userId: string): Promise<void> => {
  await trx('sessions').where({ user_id: userId }).delete();
  await publish(trx, 'sessions', { userId });
};

/** Takes a person's ads out of public view, or puts back those whose time is not over. Nothing is deleted. */
export const hideAds = async (trx: Trx, userId: string, isHidden: boolean): Promise<void> => {
  await trx('ads')
    .where({ user_id: userId })
    .whereNot({ state: 'deleted' })
    .update({
      seller_banned: isHidden,
      state: trx.raw(
        "case when state = 'active' and not is_sold and expires_at <= now() then 'expired' else state end",
      ),
    });
};

/**
 * What a person leaves: a row without a person, for their messages to hang on. Their ads are buried separately. A ban
 * outlives them.
 */
export const anonymizeUser = async (trx: Trx, userId: string): Promise<void> => {
  const user = await trx<UserRow>('users').where({ id: userId }).first('x_id', 'banned_at');
  if (user?.x_id && user.banned_at) await insertBan(trx, user.x_id, user.banned_at);
  await endSessions(trx, userId);
  await dropLink(trx, userId);
  for (const table of ['admin_credentials', 'favorites']) await trx(table).where({ user_id: userId }).delete();
  await trx('x_posts').where({ user_id: userId }).delete();
  await trx('idempotency_keys')
    .where({ scope: `u${userId}` })
    .delete();
  await trx('contact_messages').where({ user_id: userId }).update({ user_id: null });
  await trx('users').where({ id: userId }).update({
    x_id: null,
    username: null,
    display_name: 'Deleted user',
    avatar: null,
    email: null,
    role: 'user',
    is_verified: false,
    verified_type: null,
    is_premium: false,
    x_account_created: null,
    can_link_out: false,
    last_seen_at: null,
    banned_at: null,
    ban_reason: null,
    deleted_at: trx.fn.now(),
  });
};
