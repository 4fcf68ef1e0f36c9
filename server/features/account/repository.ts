import type { Trx } from '../../db/pools.ts';

/** Leaves a row without a person, which their messages refer to. Deletes everything else of theirs but the ads. */
export const anonymizeUser = async (trx: Trx, userId: string): Promise<void> => {
  for (const table of ['admin_credentials', 'favorites', 'x_posts'])
    await trx(table).where({ user_id: userId }).delete();
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
