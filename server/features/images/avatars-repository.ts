import type { Db, Trx } from '../../db/pools.ts';
import type { UserRow } from '../../db/rows.ts';

/** The address of a user's avatar at X; null if they have none, undefined without such a user. */
export const findAvatar = async (db: Db, userId: string): Promise<string | null | undefined> =>
  (await db<UserRow>('users').where({ id: userId, deleted_at: null }).first('avatar'))?.avatar;

/** Records the copy, unless the user has another avatar meanwhile. */
export const setAvatarCopy = async (
  db: Db,
  { userId, url, sha256 }: { userId: string; url: string | null; sha256: string | null },
): Promise<void> => {
  await db<UserRow>('users')
    .where({ id: userId, avatar: url, deleted_at: null })
    .update({ avatar_sha256: sha256 === null ? null : Buffer.from(sha256, 'hex'), avatar_checked_at: db.fn.now() });
};

/** Marks up to `limit` users whose avatar was not looked at for a week, and returns their ids. */
export const listDueAvatars = async (trx: Trx, limit: number): Promise<string[]> => {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `update users set avatar_checked_at = now() where id in (
       select id from users where avatar is not null and (avatar_checked_at is null or avatar_checked_at < now() - interval '7 days')
       order by avatar_checked_at nulls first limit ? for update skip locked)
     returning id`,
    [limit],
  );
  return rows.map(({ id }) => id);
};
