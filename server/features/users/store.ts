import type { Db, Trx } from '../../db/connect.ts';
import type { UserRow } from '../../db/tables.ts';

/** A user by id; deleted ones too, as the row without a person that they leave. */
export const findUser = (db: Db, id: string): Promise<UserRow | undefined> =>
  db<UserRow>('users').where({ id }).first();

/** By X handle, in any case. Deleted users have none. */
export const findUserByHandle = (db: Db, username: string): Promise<UserRow | undefined> =>
  db<UserRow>('users').whereRaw('lower(username) = lower(?)', [username]).first();

export const listUsersByIds = (db: Db, ids: readonly string[]): Promise<UserRow[]> =>
  db<UserRow>('users').whereIn('id', [...new Set(ids)]);

/** The user, held against ban, deletion and change of role until the transaction ends. Others may hold it too. */
export const holdUser = (trx: Trx, id: string): Promise<UserRow | undefined> =>
  trx<UserRow>('users').where({ id }).forShare().first();

/** The user, locked for a change. Lock users before ads. */
export const lockUser = (trx: Trx, id: string): Promise<UserRow | undefined> =>
  trx<UserRow>('users').where({ id }).forUpdate().first();
