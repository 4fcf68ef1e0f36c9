import { LIMITS } from '../../../contract/limits.ts';
import type { Db, Trx } from '../../db/pools.ts';
import type { Tables } from '../../db/tables.ts';

export type PasskeyRow = Tables['passkeys'];

/** Whom a challenge was made for; null for a sign-in. */
type Holder = { userId: string; userHandle: Buffer } | null;

export const insertChallenge = async (db: Db, challenge: Buffer, holder: Holder): Promise<void> => {
  await db.raw(
    `insert into passkey_challenges (challenge, user_id, user_handle, expires_at)
     values (:challenge, :userId, :userHandle, now() + interval '${LIMITS.challengeMinutes} minutes')`,
    { challenge, userId: holder?.userId ?? null, userHandle: holder?.userHandle ?? null },
  );
};

/** Uses a challenge up. Undefined if it was used before, is over, or was made for somebody or something else. */
export const takeChallenge = async (
  db: Db,
  challenge: Buffer,
  userId: string | null,
): Promise<Pick<Tables['passkey_challenges'], 'user_handle'> | undefined> => {
  const { rows } = await db.raw<{ rows: { user_handle: Buffer | null }[] }>(
    `delete from passkey_challenges where challenge = ? and user_id is not distinct from ?::bigint
     and expires_at > now() returning user_handle`,
    [challenge, userId],
  );
  return rows[0];
};

export const listPasskeys = (db: Db, userId: string): Promise<PasskeyRow[]> =>
  db('passkeys').where({ user_id: userId }).orderBy('id', 'desc').select('*');

/** A passkey with what decides whether its person may sign in. */
export interface HeldPasskeyRow extends PasskeyRow {
  x_id: string | null;
  banned_at: string | null;
  user_created_at: string;
  /** An operator disabled this administrator's sign-in. */
  is_disabled: boolean;
}

/** `isLocked`: waits for changes of the passkey and of its person that have not committed yet. */
export const findPasskey = (db: Db, credentialId: Buffer, isLocked = false): Promise<HeldPasskeyRow | undefined> =>
  db('passkeys as p')
    .join('users as u', 'u.id', 'p.user_id')
    .leftJoin('admin_credentials as c', 'c.user_id', 'p.user_id')
    .where('p.credential_id', credentialId)
    .whereNull('u.deleted_at')
    .select<HeldPasskeyRow[]>('p.*', 'u.x_id', 'u.banned_at', 'u.created_at as user_created_at')
    .select(db.raw('c.disabled_at is not null as is_disabled'))
    .modify((query) => void (isLocked && query.forShare('p', 'u')))
    .first() as Promise<HeldPasskeyRow | undefined>;

export type NewPasskey = Omit<PasskeyRow, 'id' | 'created_at' | 'last_used_at'>;

/** Undefined if the passkey exists, also if it is another person's. */
export const insertPasskey = async (trx: Trx, passkey: NewPasskey): Promise<PasskeyRow | undefined> => {
  const [row] = await trx('passkeys').insert(passkey).onConflict('credential_id').ignore().returning('*');
  return row;
};

export const renamePasskey = async (
  trx: Trx,
  { id, userId, name }: { id: string; userId: string; name: string },
): Promise<PasskeyRow | undefined> => {
  const [row] = await trx('passkeys').where({ id, user_id: userId }).update({ name }).returning('*');
  return row;
};

export const deletePasskey = async (trx: Trx, id: string, userId: string): Promise<PasskeyRow | undefined> => {
  const [row] = await trx('passkeys').where({ id, user_id: userId }).delete().returning('*');
  return row;
};

/** All of a person. Returns how many there were. */
export const deletePasskeys = (trx: Trx, userId: string): Promise<number> =>
  trx('passkeys').where({ user_id: userId }).delete();

/** Records a sign-in. Of two at once the higher counter stays. Returns whether the passkey still exists. */
export const noteUse = async (db: Db, id: string, counter: number): Promise<boolean> => {
  const used = await db('passkeys')
    .where({ id })
    .update({ last_used_at: db.fn.now(), counter: db.raw('greatest(counter, ?::bigint)', [counter]) });
  return used > 0;
};

/** Whether the person can come in without a recovery: by X, with a password (administrators alone) or with a passkey. */
export const hasWayIn = async (trx: Trx, userId: string): Promise<boolean> => {
  const { rows } = await trx.raw<{ rows: { has_way: boolean }[] }>(
    `select x_id is not null
       or exists (select from passkeys p where p.user_id = u.id)
       or exists (select from admin_credentials c where c.user_id = u.id and c.disabled_at is null and c.password_off_at is null and u.role = 'admin') as has_way
     from users u where id = ?`,
    [userId],
  );
  return rows[0]?.has_way ?? false;
};
