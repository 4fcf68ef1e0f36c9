import type { XProfile } from '../../adapters/x.ts';
import type { Db, Trx } from '../../db/connect.ts';
import type { AdminCredentialRow, UserRow } from '../../db/tables.ts';
import type { UserActor } from '../../policy.ts';

/** A person in good standing as an actor. */
export async function findUserActor(db: Db, id: string): Promise<UserActor | undefined> {
  const row = await db<UserRow>('users').select('id', 'role').where({ id, banned_at: null, deleted_at: null }).first();
  return row && { kind: 'user', id: row.id, role: row.role };
}

export interface MeRow extends UserRow {
  has_password: boolean;
}

export const findMe = (db: Db, id: string): Promise<MeRow | undefined> =>
  db<UserRow>('users')
    .select('users.*')
    .select(db.raw('exists (select 1 from admin_credentials c where c.user_id = users.id) as has_password'))
    .where({ id })
    .first() as Promise<MeRow | undefined>;

/** X gave this handle to somebody else: whoever still has it here loses it. */
const freeHandle = (trx: Trx, username: string, xId: string) =>
  trx('users')
    .whereRaw('lower(username) = lower(?) and x_id is distinct from ?', [username, xId])
    .update({ username: null });

export interface SignedInRow extends UserRow {
  is_new: boolean;
}

/** Creates or refreshes the person with this X id, the only key there is; handle, name and badges follow X. */
export async function upsertXUser(trx: Trx, profile: XProfile): Promise<SignedInRow> {
  await freeHandle(trx, profile.username, profile.id);
  const fresh = {
    username: profile.username,
    display_name: profile.displayName,
    avatar: profile.avatar,
    is_verified: profile.isVerified,
    verified_type: profile.verifiedType,
    x_account_created: profile.xAccountCreated,
    last_seen_at: trx.fn.now(),
    ...(profile.isPremium !== null && { is_premium: profile.isPremium }),
    ...(profile.email !== null && { email: profile.email }),
  };
  const [row] = await trx<UserRow>('users')
    .insert({ x_id: profile.id, ...fresh } as never)
    .onConflict('x_id')
    .merge(fresh as never)
    // a row that was there has a transaction that changed it
    .returning(['*', trx.raw('(xmax = 0) as is_new')] as never);
  return row as unknown as SignedInRow;
}

export interface CredentialRow extends AdminCredentialRow {
  role: UserRow['role'];
  banned_at: string | null;
}

const credentials = (db: Db) =>
  db('admin_credentials as c')
    .join('users as u', 'u.id', 'c.user_id')
    .whereNull('c.disabled_at')
    .whereNull('u.deleted_at')
    .select<CredentialRow[]>('c.*', 'u.role', 'u.banned_at');

export const findCredentialByLogin = (db: Db, login: string): Promise<CredentialRow | undefined> =>
  credentials(db).whereRaw('lower(c.login) = lower(?)', [login]).first() as Promise<CredentialRow | undefined>;

export const findCredentialOf = (db: Db, userId: string): Promise<CredentialRow | undefined> =>
  credentials(db).where('c.user_id', userId).first() as Promise<CredentialRow | undefined>;

export const updatePasswordHash = (trx: Trx, userId: string, passwordHash: string): Promise<number> =>
  trx('admin_credentials')
    .where({ user_id: userId })
    .update({ password_hash: passwordHash, must_change: false, changed_at: trx.fn.now() });

/** Changes a password that is still the one that was checked; says whether it was. */
export const changePasswordHash = async (
  trx: Trx,
  userId: string,
  { from, to }: { from: string; to: string },
): Promise<boolean> => {
  const current = await trx('admin_credentials')
    .where({ user_id: userId, password_hash: from, disabled_at: null })
    .forUpdate()
    .first('user_id');
  if (current) await updatePasswordHash(trx, userId, to);
  return current !== undefined;
};

/** People by their ids, in the order of the ids. */
export const listUsers = (db: Db, ids: readonly string[]): Promise<UserRow[]> =>
  db<UserRow>('users').whereIn('id', ids).orderBy('id').select('*');
