import { type Db, getNow, type Trx } from '../../db/pools.ts';
import type { UserRow } from '../../db/rows.ts';
import { isSetAside } from '../../db/set-aside.ts';
import { type Actor, isShutOut } from '../../policy.ts';

/** What others may see of a user. */
export const PUBLIC_USER_COLUMNS = [
  'id',
  'username',
  'display_name',
  'avatar_sha256',
  'is_verified',
  'is_premium',
  'x_account_created',
  'created_at',
  'rated_deals',
  'rated_good',
  'answer_minutes',
] as const;

/** What is sent to a person speaks it: the language that they chose, or else that of the browser that signed in last. */
export const SPOKEN_LANGUAGE = 'coalesce(u.language, u.seen_language) as language';

/** How a person is told something: the language, and the time zone of days and times. */
export const READER = `${SPOKEN_LANGUAGE}, u.time_zone`;

export type PublicUserRow = Pick<UserRow, (typeof PUBLIC_USER_COLUMNS)[number]>;

/** policy.isShutOut in SQL, of the row of users with this alias. */
export const selectShutOut = (alias: string): string =>
  `(${alias}.banned_at is not null or coalesce(${alias}.suspended_until > now(), false))`;

/** Whether one of two users blocked the other, in SQL; `one` and `other` are expressions of their ids. */
export const selectBlocked = (one: string, other: string): string =>
  `exists (select from blocks where (blocker_id, blocked_id) in ((${one}, ${other}), (${other}, ${one})))`;

export const findUser = (db: Db, id: string): Promise<UserRow | undefined> =>
  db<UserRow>('users').where({ id }).first();

export const findUserByHandle = (db: Db, username: string): Promise<UserRow | undefined> =>
  db<UserRow>('users').whereRaw('lower(username) = lower(?)', [username]).first();

export const listUsersByIds = (db: Db, ids: readonly string[]): Promise<UserRow[]> =>
  db<UserRow>('users')
    .whereIn('id', [...new Set(ids)])
    .orderBy('id');

/**
 * Protects the user from ban, deletion and change of role until the transaction ends; other transactions may share the
 * lock.
 */
export const lockUserShared = (trx: Trx, id: string): Promise<UserRow | undefined> =>
  trx<UserRow>('users').where({ id }).forShare().first();

/** Like lockUserShared, for several users, in order of id. */
export const lockUsersShared = (trx: Trx, ids: readonly string[]): Promise<UserRow[]> =>
  trx<UserRow>('users').whereIn('id', ids).orderBy('id').forShare();

/** Locks the user for a change. Lock users before ads. */
export const lockUserForUpdate = (trx: Trx, id: string): Promise<UserRow | undefined> =>
  trx<UserRow>('users').where({ id }).forUpdate().first();

/** Locks users for a change, in order of id. Rows that refer to them may be inserted meanwhile. */
export const lockUsers = (trx: Trx, ids: readonly string[]): Promise<UserRow[]> =>
  trx<UserRow>('users').whereIn('id', ids).orderBy('id').forNoKeyUpdate();

/** Protects users from deletion until the transaction ends, in order of id. Returns those who exist and are not deleted. */
export const lockPresentUsers = (trx: Trx, ids: readonly string[]): Promise<string[]> =>
  trx('users')
    .whereRaw('id = any(?::bigint[])', [[...ids]])
    .whereNull('deleted_at')
    .orderBy('id')
    .forKeyShare()
    .pluck('id');

/**
 * Protects users from ban, suspension and deletion until the transaction ends, in order of id. Leaves out those that
 * another transaction is changing.
 */
export const lockUnchangingUsers = (trx: Trx, ids: readonly string[]): Promise<UserRow[]> =>
  trx<UserRow>('users')
    .whereRaw('id = any(?::bigint[])', [[...ids]])
    .orderBy('id')
    .forShare()
    .skipLocked();

/** One change at a time may take an administrator away. Others only lock the people that they concern. */
const lockAdministrators = (trx: Trx) => trx.raw("select pg_advisory_xact_lock(hashtext('administrators'))");

/**
 * Locks the user and the actor in order of id. If the user is an administrator, no other administrator is taken away until the
 * transaction ends: of two who act on each other, the second sees the first removal. `admins`: those who are neither
 * banned, suspended nor deleted, if the user is one of them; else none.
 */
export const lockUserAndAdmins = async (
  trx: Trx,
  id: string,
  actor?: Actor,
): Promise<{ user?: UserRow; admins: UserRow[] }> => {
  const before = await trx<UserRow>('users').where({ id }).first('role');
  if (before?.role === 'admin') await lockAdministrators(trx);
  const ids = actor?.kind === 'user' ? [id, actor.id] : [id];
  const rows = await trx<UserRow>('users').whereIn('id', ids).orderBy('id').forUpdate();
  const user = rows.find((row) => row.id === id);
  if (user?.role !== 'admin') return { ...(user && { user }), admins: [] };
  // became one meanwhile
  if (before?.role !== 'admin') await lockAdministrators(trx);
  const now = getNow(trx);
  const admins = await trx<UserRow>('users').where({ role: 'admin', deleted_at: null }).orderBy('id');
  return { user, admins: admins.filter((row) => !isShutOut(row, now)) };
};

export type UserChange = Partial<
  Pick<UserRow, 'role' | 'ban_reason' | 'can_link_out' | 'ads_pending' | 'language' | 'time_zone'>
>;

export const updateUser = async (trx: Trx, id: string, change: UserChange): Promise<void> => {
  await trx('users').where({ id }).update(change);
};

export const setBan = async (trx: Trx, id: string, ban: { reason: string | null } | null): Promise<void> => {
  const change = ban
    ? { banned_at: trx.raw('coalesce(banned_at, now())'), ban_reason: ban.reason }
    : { banned_at: null, ban_reason: null };
  await trx('users').where({ id }).update(change);
};

/** Suspends the user for this many days from now, or until an earlier suspension ends if that is later. */
export const setSuspension = async (trx: Trx, id: string, days: number): Promise<void> => {
  const until = trx.raw("greatest(suspended_until, now() + ? * interval '1 day')", [days]);
  await trx('users').where({ id }).update({ suspended_until: until });
};

export const setSuspensionEnd = async (trx: Trx, id: string, until: string | null): Promise<void> => {
  await trx('users').where({ id }).update({ suspended_until: until });
};

/** Ends the user's suspension if its time is over. Returns whether it was. */
export const endExpiredSuspension = async (trx: Trx, id: string): Promise<boolean> =>
  (await trx('users').where({ id }).where('suspended_until', '<=', trx.fn.now()).update({ suspended_until: null })) ===
  1;

/** Users whose suspension is over by time, and who still have its mark, the longest first. */
export const listExpiredSuspensions = (db: Db, limit: number): Promise<string[]> =>
  db('users')
    .where('suspended_until', '<=', db.fn.now())
    .whereRaw(`not ${isSetAside('end-suspensions', 'users.id')}`)
    .orderBy('suspended_until')
    .limit(limit)
    .pluck('id');

/** Users whose ads still wait for a change after a ban, an unban or a deletion. */
export const listUsersWithPendingAds = (db: Db): Promise<string[]> =>
  db('users').where({ ads_pending: true }).orderBy('id').pluck('id');
