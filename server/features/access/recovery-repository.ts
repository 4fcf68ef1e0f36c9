import type { Db, Trx } from '../../db/pools.ts';

/** A person with what decides whether they may come in. */
export interface HolderRow {
  user_id: string;
  x_id: string | null;
  banned_at: string | null;
  user_created_at: string;
  is_disabled: boolean;
}

const selectHolders = (db: Db) =>
  db('users as u')
    .leftJoin('admin_credentials as c', 'c.user_id', 'u.id')
    .whereNull('u.deleted_at')
    .select<HolderRow[]>('u.id as user_id', 'u.x_id', 'u.banned_at', 'u.created_at as user_created_at')
    .select(db.raw('c.disabled_at is not null as is_disabled'));

/** `isLocked`: waits for changes of the person that have not committed yet. */
export const findHolder = (db: Db, userId: string, isLocked = false): Promise<HolderRow | undefined> =>
  selectHolders(db)
    .where('u.id', userId)
    .modify((query) => void (isLocked && query.forShare('u')))
    .first() as Promise<HolderRow | undefined>;

/** Who has this code. The name is their handle or, as an administrator, their login: one person's login may be another's handle. */
export const findHolderOfCode = (db: Db, name: string, codeHash: Buffer): Promise<HolderRow | undefined> =>
  selectHolders(db)
    .whereRaw('(lower(u.username) = lower(:name) or lower(c.login) = lower(:name))', { name })
    .whereExists(db('recovery_codes as r').whereRaw('r.user_id = u.id').where('r.code_hash', codeHash))
    .first() as Promise<HolderRow | undefined>;

/** Those who may have this address; whether it is confirmed is still to be asked. At most five. */
export const listUsersByAddress = async (db: Db, address: string): Promise<string[]> => {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `select user_id as id from email_addresses where lower(address) = lower(:address) and opens_account
     union select id from users where lower(email) = lower(:address) and x_id is not null
     order by id limit 5`,
    { address },
  );
  return rows.map(({ id }) => id);
};

export const replaceCodes = async (trx: Trx, userId: string, hashes: readonly Buffer[]): Promise<number> => {
  const deleted = await trx('recovery_codes').where({ user_id: userId }).delete();
  if (hashes.length > 0)
    await trx('recovery_codes').insert(hashes.map((code_hash) => ({ user_id: userId, code_hash })));
  return deleted;
};

/** Uses a code up. Returns whether it was one. */
export const takeCode = async (trx: Trx, userId: string, codeHash: Buffer): Promise<boolean> =>
  (await trx('recovery_codes').where({ user_id: userId, code_hash: codeHash }).delete()) > 0;

export const readCodes = async (db: Db, userId: string): Promise<{ left: number; createdAt: string | null }> => {
  const rows = await db('recovery_codes').where({ user_id: userId }).select<{ created_at: string }[]>('created_at');
  return { left: rows.length, createdAt: rows[0]?.created_at ?? null };
};
