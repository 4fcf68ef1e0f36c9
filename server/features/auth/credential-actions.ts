import { LIMITS } from '../../../contract/limits.ts';
import type { App } from '../../app.ts';
import type { Trx } from '../../db/connect.ts';
import type { UserRow } from '../../db/tables.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError, conflict, invalid, notFound } from '../../errors.ts';
import type { Actor } from '../../policy.ts';
import { recordAudit } from '../audit/store.ts';
import { lockWithAdmins } from '../users/removal-store.ts';
import { findUserByHandle, lockUser } from '../users/store.ts';
import { checkNewPassword } from './actions.ts';
import {
  type AdminRow,
  findAdminByLogin,
  hasCredential,
  insertAdminUser,
  insertCredential,
  listAdmins,
  lockAdmins,
  makeAdmin,
  setCredentialDisabled,
} from './credential-store.ts';
import { deleteUserSessions } from './session-store.ts';
import { updatePasswordHash } from './store.ts';

export interface NewAdmin {
  /** What they sign in with. */
  login: string;
  password: string;
  email?: string | undefined;
  /** X handle of the user who becomes one; without it a user without a handle is made. */
  handle?: string | undefined;
  /** An administrator of that login is left as they are instead of refused. */
  existsOk?: boolean;
  reason?: string | undefined;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
const LOGIN = /^[^\s\u0000-\u001F\u007F]([^\u0000-\u001F\u007F]{0,98}[^\s\u0000-\u001F\u007F])?$/;
const EMAIL = /^[^\s@<>,;"]+@[^\s@<>,;"]+\.[^\s@<>,;"]+$/;

const checkNewAdmin = ({ login, email, password }: NewAdmin): void => {
  if (!LOGIN.test(login)) throw invalid({ username: 'A username is 1 to 100 characters, without blanks around it' });
  if (email !== undefined && (!EMAIL.test(email) || email.length > LIMITS.contactEmail))
    throw invalid({ email: 'This is no email address' });
  checkNewPassword(password);
};

const promoteUser = async (trx: Trx, handle: string): Promise<string> => {
  const found = await findUserByHandle(trx, handle.replace(/^@/, ''));
  const user: UserRow | undefined = found && (await lockUser(trx, found.id));
  if (!user || user.deleted_at !== null) throw notFound(`There is no user ${handle}`);
  if (user.banned_at !== null) throw conflict(`${handle} is banned`);
  if (await hasCredential(trx, user.id)) throw conflict(`${handle} has a username and a password already`);
  await makeAdmin(trx, user.id);
  return user.id;
};

const audit = (trx: Trx, actor: Actor, verb: string, id: string, details: Record<string, unknown>) =>
  recordAudit(trx, actor, { action: `admin.${verb}`, targetType: 'user', targetId: id, details });

/** Makes an administrator who signs in with username and password. */
export async function createAdmin(
  app: App,
  actor: Actor,
  input: NewAdmin,
): Promise<{ id: string; login: string; isNew: boolean }> {
  checkNewAdmin(input);
  const { login, handle, email, existsOk, reason } = input;
  const passwordHash = await app.passwords.hash(input.password);
  return inTransaction(app.db, async (trx) => {
    await lockAdmins(trx);
    const existing = await findAdminByLogin(trx, login);
    if (existing && existsOk) return { id: existing.id, login: existing.login!, isNew: false };
    if (existing) throw conflict(`There is an administrator "${existing.login}" already`);
    const id = handle ? await promoteUser(trx, handle) : await insertAdminUser(trx, email ?? null);
    await insertCredential(trx, id, login, passwordHash);
    await audit(trx, actor, 'create', id, { login, handle, reason });
    return { id, login, isNew: true };
  });
}

const getAdmin = async (trx: Trx, login: string): Promise<AdminRow> => {
  const found = await findAdminByLogin(trx, login);
  if (found) await lockWithAdmins(trx, found.id);
  const admin = found && (await findAdminByLogin(trx, login));
  if (!admin) throw notFound(`There is no administrator "${login}"`);
  return admin;
};

/** Gives an administrator a new password and ends their sessions. */
export async function resetAdminPassword(
  app: App,
  actor: Actor,
  login: string,
  { password, reason }: { password: string; reason?: string | undefined },
): Promise<AdminRow> {
  checkNewPassword(password);
  const passwordHash = await app.passwords.hash(password);
  return inTransaction(app.db, async (trx) => {
    const admin = await getAdmin(trx, login);
    await updatePasswordHash(trx, admin.id, passwordHash);
    await deleteUserSessions(trx, admin.id);
    await audit(trx, actor, 'reset-password', admin.id, { login: admin.login, reason });
    return admin;
  });
}

const mayStillSignIn = (admin: AdminRow): boolean =>
  admin.disabled_at === null && admin.banned_at === null && (admin.login !== null || admin.username !== null);

/** Turns the password sign-in of an administrator off, ending their sessions, or on. Saying it twice changes nothing. */
export const setAdminDisabled = (
  app: App,
  actor: Actor,
  login: string,
  isDisabled: boolean,
  { reason }: { reason?: string | undefined } = {},
): Promise<AdminRow> =>
  inTransaction(app.db, async (trx) => {
    const admin = await getAdmin(trx, login);
    if ((admin.disabled_at !== null) === isDisabled) return admin;
    const others = (await listAdmins(trx)).filter(({ id }) => id !== admin.id);
    if (isDisabled && !others.some(mayStillSignIn)) throw new AppError('last_admin');
    await setCredentialDisabled(trx, admin.id, isDisabled);
    if (isDisabled) await deleteUserSessions(trx, admin.id);
    await audit(trx, actor, isDisabled ? 'disable' : 'enable', admin.id, { login: admin.login, reason });
    return (await findAdminByLogin(trx, login))!;
  });
