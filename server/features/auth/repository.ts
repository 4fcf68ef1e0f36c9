import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Db, Trx } from '../../db/pools.ts';
import type { AdminCredentialRow, UserRow } from '../../db/rows.ts';
import type { XProfile } from '../../integrations/x/client.ts';
import type { UserActor } from '../../policy.ts';

export async function findUserActor(db: Db, id: string): Promise<UserActor | undefined> {
  const row = await db<UserRow>('users')
    .select('id', 'role', 'suspended_until', 'language', 'time_zone')
    .where({ id, banned_at: null, deleted_at: null })
    .first();
  if (row === undefined) return undefined;
  const hasBlocks = (await db('blocks').where({ blocker_id: id }).first('id')) !== undefined;
  const { role, language, time_zone: timeZone } = row;
  return { kind: 'user', id: row.id, role, hasBlocks, suspendedUntil: row.suspended_until, language, timeZone };
}

export interface MeRow extends UserRow {
  has_password: boolean;
}

export const findMe = (db: Db, id: string): Promise<MeRow | undefined> =>
  db<UserRow>('users')
    .select('users.*')
    .select(
      db.raw(
        'exists (select 1 from admin_credentials c where c.user_id = users.id and c.password_off_at is null) as has_password',
      ),
    )
    .where({ id })
    .first() as Promise<MeRow | undefined>;

const freeHandle = (trx: Trx, username: string, xId: string) =>
  trx('users')
    .whereRaw('lower(username) = lower(?) and x_id is distinct from ?', [username, xId])
    .update({ username: null });

export interface SignedInRow extends UserRow {
  is_new: boolean;
}

/** Creates or updates the user with this X id, which is the only key. Handle, name and badges follow X. */
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
    .insert({ x_id: profile.id, ...fresh })
    .onConflict('x_id')
    .merge(fresh)
    // xmax is 0 in a row that this statement inserted
    .returning(['*', trx.raw('(xmax = 0) as is_new')]);
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

export const findCredentialByUser = (db: Db, userId: string): Promise<CredentialRow | undefined> =>
  credentials(db).where('c.user_id', userId).first() as Promise<CredentialRow | undefined>;

export const updatePasswordHash = (trx: Trx, userId: string, passwordHash: string): Promise<number> =>
  trx('admin_credentials')
    .where({ user_id: userId })
    .update({ password_hash: passwordHash, must_change: false, password_off_at: null, changed_at: trx.fn.now() });

/** No password fits any longer. Returns whether there was one. */
export const switchPasswordOff = async (trx: Trx, userId: string, hashOfNothing: string): Promise<boolean> =>
  (await trx('admin_credentials')
    .where({ user_id: userId, disabled_at: null, password_off_at: null })
    .update({ password_hash: hashOfNothing, password_off_at: trx.fn.now() })) > 0;

/** Changes the password unless it changed since it was checked. Returns whether it did. */
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

export interface AdminRow {
  id: string;
  login: string | null;
  username: string | null;
  display_name: string;
  created_at: string;
  changed_at: string | null;
  disabled_at: string | null;
  banned_at: string | null;
  suspended_until: string | null;
  last_seen_at: string | null;
}

const selectAdmins = (db: Db) =>
  db('users as u')
    .leftJoin('admin_credentials as c', 'c.user_id', 'u.id')
    .where({ 'u.role': 'admin' })
    .whereNull('u.deleted_at')
    .select<AdminRow[]>('u.id', 'c.login', 'u.username', 'u.display_name', 'u.created_at', 'c.changed_at')
    .select('c.disabled_at', 'u.banned_at', 'u.suspended_until', 'u.last_seen_at')
    .orderBy('u.id');

export const listAdmins = (db: Db): Promise<AdminRow[]> => selectAdmins(db);

export const findAdminByLogin = (db: Db, login: string): Promise<AdminRow | undefined> =>
  selectAdmins(db).whereRaw('lower(c.login) = lower(?)', [login]).first() as Promise<AdminRow | undefined>;

/** Serialises the creation of administrators: the second of two with the same login finds the first. */
export const lockAdmins = async (trx: Trx): Promise<void> => {
  await trx.raw("select pg_advisory_xact_lock(hashtext('administrators'))");
};

/**
 * Inserts an administrator without an X account: no handle, so no public profile. The login is partly secret and not
 * shown.
 */
export const insertAdminUser = async (trx: Trx, name: string, email: string | null): Promise<string> => {
  const values = { display_name: name, role: 'admin', email } as const;
  const [row] = await trx<UserRow>('users').insert(values).returning('id');
  return row!.id;
};

export const insertCredential = (trx: Trx, userId: string, login: string, passwordHash: string): Promise<unknown> =>
  trx('admin_credentials').insert({ user_id: userId, login, password_hash: passwordHash });

export const hasCredential = async (trx: Trx, userId: string): Promise<boolean> =>
  (await trx('admin_credentials').where({ user_id: userId }).first('user_id')) !== undefined;

export const setCredentialDisabled = (trx: Trx, userId: string, isDisabled: boolean): Promise<number> =>
  trx('admin_credentials')
    .where({ user_id: userId })
    .update({ disabled_at: isDisabled ? trx.fn.now() : null });

/** Whether the administrator with this login has signed in from an address with one of these hashes. */
export const isKnownAddress = async (db: Db, login: string, hashes: readonly Buffer[]): Promise<boolean> => {
  const row = await db('admin_addresses as a')
    .join('admin_credentials as c', 'c.user_id', 'a.user_id')
    .whereRaw('lower(c.login) = lower(?)', [login])
    .whereIn('a.address_hash', hashes)
    .first('a.user_id');
  return row !== undefined;
};

export const insertKnownAddress = async (db: Db, userId: string, addressHash: Buffer): Promise<void> => {
  await db('admin_addresses')
    .insert({ user_id: userId, address_hash: addressHash })
    .onConflict(['user_id', 'address_hash'])
    .merge({ last_at: db.fn.now() });
};

const KEY = 'ban_key';
const BYTES = 32;

const derive = promisify<string, Buffer, number, Buffer>(scrypt);

/**
 * The key of the ban hashes, created on first use. It is stored in the database: `marketctl` has no SESSION_KEYS,
 * those keys are rotated, and a restored backup must still recognize banned accounts.
 */
async function getBanKey(trx: Trx): Promise<Buffer> {
  const value = JSON.stringify(randomBytes(BYTES).toString('base64'));
  await trx('settings').insert({ key: KEY, value }).onConflict('key').ignore();
  const row = await trx<{ key: string; value: string }>('settings').where({ key: KEY }).first('value');
  return Buffer.from(row!.value, 'base64');
}

/** Slow on purpose: X's ids are numbers, so the holder of a database dump could try them all. */
const hashXId = async (trx: Trx, xId: string): Promise<Buffer> => derive(xId, await getBanKey(trx), BYTES);

/** A banned or suspended X account whose user was deleted. */
export interface XAccountBan {
  banned_at: string;
  /** Null for a ban, which does not end by itself. */
  ends_at: string | null;
}

/** Keeps an X account shut out after its user is deleted, without storing its id. Replaces a ban that is over. */
export async function insertBan(trx: Trx, xId: string, ban: XAccountBan): Promise<void> {
  const row = { id_hash: await hashXId(trx, xId), ...ban };
  await trx('banned_x_accounts').insert(row).onConflict('id_hash').merge(ban);
}

export const findBan = async (trx: Trx, xId: string): Promise<XAccountBan | undefined> =>
  trx<XAccountBan & { id_hash: Buffer }>('banned_x_accounts')
    .where({ id_hash: await hashXId(trx, xId) })
    .whereRaw("coalesce(ends_at, 'infinity') > now()")
    .first('banned_at', 'ends_at');

export const deleteEndedBans = (db: Db): Promise<number> =>
  db('banned_x_accounts').where('ends_at', '<=', db.fn.now()).delete();

export const deleteBan = async (trx: Trx, xId: string): Promise<boolean> =>
  (await trx('banned_x_accounts')
    .where({ id_hash: await hashXId(trx, xId) })
    .delete()) > 0;
