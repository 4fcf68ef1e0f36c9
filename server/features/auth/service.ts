import type { ErrorCode } from '../../../contract/errors.ts';
import { speaking, t } from '../../../contract/i18n.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { EMAIL_ADDRESS } from '../../../contract/text.ts';
import type { AppContext } from '../../app-context.ts';
import { getNow, type Trx } from '../../db/pools.ts';
import type { UserRow } from '../../db/rows.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError, accountSuspended, invalid, notFound, refuseFields, unauthenticated } from '../../errors.ts';
import type { XProfile } from '../../integrations/x/client.ts';
import { readTextsOf } from '../../lib/catalogs.ts';
import { type Actor, isLastAdmin, isShutOut, type UserActor } from '../../policy.ts';
import { type AuditContext, recordAudit } from '../audit/repository.ts';
import { queueAvatar } from '../images/avatars.ts';
import { tellOfAccess } from '../notifications/access-news.ts';
import { findAddressOfX } from '../notifications/address-repository.ts';
import { concludeAddressChange } from '../notifications/addresses.ts';
import { deleteLinks } from '../sessions/recovery-links-repository.ts';
import { endSessions, type SessionsToEnd } from '../sessions/session-repository.ts';
import { lockActiveAdmin } from '../users/active-actor.ts';
import { findUserByHandle, lockUserAndAdmins, lockUserForUpdate, updateUser } from '../users/repository.ts';
import { getPasswords, isCommonPassword } from './password.ts';
import {
  type AdminRow,
  changePasswordHash,
  findAdminByLogin,
  findBan,
  findCredentialByLogin,
  findCredentialByUser,
  findMe,
  hasCredential,
  insertAdminUser,
  insertCredential,
  listAdmins,
  lockAdmins,
  type MeRow,
  setCredentialDisabled,
  updatePasswordHash,
  upsertXUser,
} from './repository.ts';
import { admitSignIn, type SignInAttempt } from './sign-in-throttle.ts';
import { endTokens } from './token-repository.ts';

/**
 * Throws for a user who was deleted while banned or suspended. Runs after the upsert, which waits for a concurrent
 * deletion.
 */
const upsertAdmittedUser = async (ctx: AppContext, trx: Trx, profile: XProfile): Promise<UserRow> => {
  const before = await findAddressOfX(trx, profile.id);
  const user = await upsertXUser(trx, profile);
  // X may name another address, which opens the account
  if (before) await concludeAddressChange(trx, ctx, before);
  await queueAvatar(trx, user.id);
  const ban = user.is_new ? await findBan(trx, profile.id) : undefined;
  if (ban?.ends_at) throw accountSuspended(ban.ends_at);
  if (ban) throw new AppError('account_banned');
  return user;
};

/**
 * The user of an X access token, created or updated. The caller turns a banned one away. A suspended user signs in; one who was
 * deleted while suspended does not. @throws {AppError} account_banned, account_suspended. @throws {XError}
 */
export async function signInWithX(ctx: AppContext, accessToken: string): Promise<UserRow> {
  const profile = await ctx.x.me(accessToken);
  const user = await inTransaction(ctx.db, (trx) => upsertAdmittedUser(ctx, trx, profile));
  if (user.deleted_at !== null) throw new AppError('account_banned');
  return user;
}

export async function getMe(ctx: AppContext, actor: UserActor): Promise<MeRow> {
  const me = await findMe(ctx.db, actor.id);
  if (!me) throw unauthenticated();
  return me;
}

export interface SignedIn {
  me: MeRow;
  passwordHash: string;
}

/**
 * Checks an administrator's login and password. An unknown login, a wrong password and a user without the admin role
 * give the same error. The caller starts the session and then calls isPasswordCurrent. @throws {AppError}
 * invalid_credentials, account_banned, rate_limited, overloaded
 */
export async function signInWithPassword(
  ctx: AppContext,
  { password, ...attempt }: SignInAttempt & { password: string },
): Promise<SignedIn> {
  const admitted = await admitSignIn(ctx, attempt);
  const credential = await findCredentialByLogin(ctx.db, attempt.login);
  const isRight = await getPasswords(ctx).verify(credential?.password_hash, password, admitted);
  if (!credential || !isRight || credential.role !== 'admin') throw new AppError('invalid_credentials');
  if (credential.banned_at !== null) throw new AppError('account_banned');
  const me = await findMe(ctx.db, credential.user_id);
  if (!me) throw new AppError('invalid_credentials');
  await admitted.succeed(credential.user_id);
  return { me, passwordHash: credential.password_hash };
}

/**
 * Whether the matched password has not been reset since. A reset ends only the sessions that it sees, so a session
 * that started concurrently must end itself.
 */
export const isPasswordCurrent = async ({ db }: AppContext, userId: string, passwordHash: string): Promise<boolean> =>
  (await findCredentialByUser(db, userId))?.password_hash === passwordHash;

/** Throws validation_failed for a password that is too short or too common. */
function checkNewPassword(password: string, min: number): void {
  if ([...password].length < min) throw invalid({ newPassword: { key: 'fields.passwordShort', values: { min } } });
  if (isCommonPassword(password)) throw invalid({ newPassword: 'errors.commonPassword' });
}

/**
 * Changes the actor's own password, ends all their sessions and recovery links that wait, and tells them. Returns the new hash: the caller starts a session and
 * then calls isPasswordCurrent.
 */
export async function changePassword(
  ctx: AppContext,
  actor: UserActor,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  { requestId }: AuditContext = {},
): Promise<string> {
  checkNewPassword(newPassword, LIMITS.passwordMin);
  const credential = await findCredentialByUser(ctx.db, actor.id);
  if (!credential || credential.password_off_at !== null) throw notFound('errors.noPassword');
  if (!(await getPasswords(ctx).verify(credential.password_hash, currentPassword)))
    throw new AppError('invalid_credentials', { key: 'errors.wrongPassword' });
  const passwordHash = await getPasswords(ctx).hash(newPassword);
  await inTransaction(ctx.db, async (trx) => {
    // a concurrent reset wins over this change
    const isChanged = await changePasswordHash(trx, actor.id, { from: credential.password_hash, to: passwordHash });
    if (!isChanged) throw new AppError('invalid_credentials', { key: 'errors.wrongPassword' });
    await endSessions(trx, { userId: actor.id });
    await deleteLinks(trx, actor.id);
    await tellOfAccess(trx, ctx, { userId: actor.id, params: { is: 'passwordChanged' } });
    await recordAudit(trx, actor, { action: 'password.change', target: ['user', actor.id], requestId });
  });
  return passwordHash;
}

export interface NewAdmin extends AuditContext {
  login: string;
  password: string;
  email?: string | undefined;
  /** X handle of the user who becomes an administrator; without it a user without a handle is created. */
  handle?: string | undefined;
  /** Leave an existing administrator with that login unchanged instead of throwing conflict. */
  existsOk?: boolean;
}

/** What only `marketctl` hears. */
const refuse = (code: ErrorCode, message: string) => new AppError(code, { message });

// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
const LOGIN = /^[^\s\u0000-\u001F\u007F]([^\u0000-\u001F\u007F]{0,98}[^\s\u0000-\u001F\u007F])?$/;

const checkNewAdmin = ({ login, email }: NewAdmin): void => {
  if (!LOGIN.test(login))
    throw refuseFields({ username: 'A username is 1 to 100 characters, without blanks around it' });
  if (email !== undefined && (!EMAIL_ADDRESS.test(email) || email.length > LIMITS.contactEmail))
    throw refuseFields({ email: 'This is no email address' });
};

const promoteUser = async (trx: Trx, handle: string): Promise<string> => {
  const found = await findUserByHandle(trx, handle.replace(/^@/, ''));
  const user: UserRow | undefined = found && (await lockUserForUpdate(trx, found.id));
  if (!user || user.deleted_at !== null) throw refuse('not_found', `There is no user ${handle}`);
  if (isShutOut(user, getNow(trx))) throw refuse('conflict', `${handle} is banned or suspended`);
  if (await hasCredential(trx, user.id)) throw refuse('conflict', `${handle} has a username and a password already`);
  await updateUser(trx, user.id, { role: 'admin' });
  return user.id;
};

const audit = (trx: Trx, actor: Actor, verb: string, id: string, details: Record<string, unknown>) =>
  recordAudit(trx, actor, { action: `admin.${verb}`, target: ['user', id], details });

export async function createAdmin(
  ctx: AppContext,
  actor: Actor,
  input: NewAdmin,
): Promise<{ id: string; login: string; isNew: boolean }> {
  checkNewAdmin(input);
  const { login, handle, email, existsOk, reason } = input;
  const passwordHash = await getPasswords(ctx).hash(input.password);
  return inTransaction(ctx.db, async (trx) => {
    await lockActiveAdmin(trx, actor);
    await lockAdmins(trx);
    const existing = await findAdminByLogin(trx, login);
    if (existing && existsOk) return { id: existing.id, login: existing.login!, isNew: false };
    if (existing) throw refuse('conflict', `There is an administrator "${existing.login}" already`);
    // one that exists may have a shorter password
    checkNewPassword(input.password, LIMITS.passwordAdvised);
    // what people are to call who has no X account, in the marketplace's own language
    const name = speaking(readTextsOf(null, ctx.config), () => t('people.role_admin'));
    const id = handle ? await promoteUser(trx, handle) : await insertAdminUser(trx, name, email ?? null);
    await insertCredential(trx, id, login, passwordHash);
    if (handle) {
      await endSessions(trx, { userId: id });
      await deleteLinks(trx, id);
      await tellOfAccess(trx, ctx, { userId: id, params: { is: 'passwordAdded' } });
    }
    await audit(trx, actor, 'create', id, { login, handle, reason });
    return { id, login, isNew: true };
  });
}

const lockAdmin = async (trx: Trx, actor: Actor, login: string): Promise<AdminRow> => {
  const found = await findAdminByLogin(trx, login);
  if (found) await lockUserAndAdmins(trx, found.id);
  await lockActiveAdmin(trx, actor);
  const admin = found && (await findAdminByLogin(trx, login));
  if (!admin) throw refuse('not_found', `There is no administrator "${login}"`);
  return admin;
};

/** Sets an administrator's password, ends their sessions and recovery links, and tells them. Throws not_found. */
export async function resetAdminPassword(
  ctx: AppContext,
  actor: Actor,
  login: string,
  { password, reason }: { password: string } & AuditContext,
): Promise<AdminRow> {
  checkNewPassword(password, LIMITS.passwordAdvised);
  const passwordHash = await getPasswords(ctx).hash(password);
  return inTransaction(ctx.db, async (trx) => {
    const admin = await lockAdmin(trx, actor, login);
    await updatePasswordHash(trx, admin.id, passwordHash);
    await endSessions(trx, { userId: admin.id });
    await deleteLinks(trx, admin.id);
    await tellOfAccess(trx, ctx, { userId: admin.id, params: { is: 'passwordChanged' } });
    await audit(trx, actor, 'reset-password', admin.id, { login: admin.login, reason });
    return admin;
  });
}

const canSignIn = (admin: AdminRow, now: Date): boolean =>
  admin.disabled_at === null && !isShutOut(admin, now) && (admin.login !== null || admin.username !== null);

/** Disables an administrator's password sign-in, ending their sessions, or enables it. Repeating it changes nothing. */
export const setAdminDisabled = (
  ctx: AppContext,
  actor: Actor,
  login: string,
  isDisabled: boolean,
  { reason }: AuditContext = {},
): Promise<AdminRow> =>
  inTransaction(ctx.db, async (trx) => {
    const admin = await lockAdmin(trx, actor, login);
    if ((admin.disabled_at !== null) === isDisabled) return admin;
    const usable = (await listAdmins(trx)).filter((other) => other.id === admin.id || canSignIn(other, getNow(trx)));
    if (isDisabled && isLastAdmin(admin.id, usable)) throw new AppError('last_admin');
    await setCredentialDisabled(trx, admin.id, isDisabled);
    if (isDisabled) {
      await endSessions(trx, { userId: admin.id });
      await endTokens(trx, admin.id);
      await deleteLinks(trx, admin.id);
    }
    await audit(trx, actor, isDisabled ? 'disable' : 'enable', admin.id, { login: admin.login, reason });
    return (await findAdminByLogin(trx, login))!;
  });

export const revokeSessions = (
  ctx: AppContext,
  actor: Actor,
  which: SessionsToEnd,
  { reason }: AuditContext = {},
): Promise<number> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveAdmin(trx, actor);
    const ended = await endSessions(trx, which);
    const { userId, startedBefore } = which;
    const details = { ended, startedBefore, reason };
    if (ended > 0)
      await recordAudit(trx, actor, { action: 'session.revoke', ...(userId && { target: ['user', userId] }), details });
    return ended;
  });
