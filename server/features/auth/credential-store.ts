import type { Db, Trx } from '../../db/connect.ts';
import type { UserRow } from '../../db/tables.ts';

/** An administrator with or without a password. */
export interface AdminRow {
  id: string;
  login: string | null;
  username: string | null;
  display_name: string;
  created_at: string;
  changed_at: string | null;
  disabled_at: string | null;
  banned_at: string | null;
  last_seen_at: string | null;
}

const selectAdmins = (db: Db) =>
  db('users as u')
    .leftJoin('admin_credentials as c', 'c.user_id', 'u.id')
    .where({ 'u.role': 'admin' })
    .whereNull('u.deleted_at')
    .select<AdminRow[]>('u.id', 'c.login', 'u.username', 'u.display_name', 'u.created_at', 'c.changed_at')
    .select('c.disabled_at', 'u.banned_at', 'u.last_seen_at')
    .orderBy('u.id');

/** Every administrator: those with a password and those who sign in with X. */
export const listAdmins = (db: Db): Promise<AdminRow[]> => selectAdmins(db);

export const findAdminByLogin = (db: Db, login: string): Promise<AdminRow | undefined> =>
  selectAdmins(db).whereRaw('lower(c.login) = lower(?)', [login]).first() as Promise<AdminRow | undefined>;

/** One administrator is made at a time, so that of two with the same login the second finds the first. */
export const lockAdmins = async (trx: Trx): Promise<void> => {
  await trx.raw("select pg_advisory_xact_lock(hashtext('administrators'))");
};

/** An administrator who is nobody on X: no handle, so no public profile, and nothing of the login name, which is half a secret. */
export const insertAdminUser = async (trx: Trx, email: string | null): Promise<string> => {
  const values = { display_name: 'Administrator', role: 'admin', email } as const;
  const [row] = await trx<UserRow>('users').insert(values).returning('id');
  return row!.id;
};

export const makeAdmin = (trx: Trx, userId: string): Promise<number> =>
  trx('users').where({ id: userId }).update({ role: 'admin' });

export const insertCredential = (trx: Trx, userId: string, login: string, passwordHash: string): Promise<unknown> =>
  trx('admin_credentials').insert({ user_id: userId, login, password_hash: passwordHash });

export const hasCredential = async (trx: Trx, userId: string): Promise<boolean> =>
  (await trx('admin_credentials').where({ user_id: userId }).first('user_id')) !== undefined;

export const setCredentialDisabled = (trx: Trx, userId: string, isDisabled: boolean): Promise<number> =>
  trx('admin_credentials')
    .where({ user_id: userId })
    .update({ disabled_at: isDisabled ? trx.fn.now() : null });
