import { LIMITS } from '../../../contract/limits.ts';
import type { XProfile } from '../../adapters/x.ts';
import type { App } from '../../app.ts';
import type { Trx } from '../../db/connect.ts';
import type { UserRow } from '../../db/tables.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError, invalid, notFound, unauthenticated } from '../../errors.ts';
import type { UserActor } from '../../policy.ts';
import { recordAudit } from '../audit/store.ts';
import { isShutOut } from './banned-accounts-store.ts';
import { isCommonPassword } from './common-passwords.ts';
import { deleteUserSessions } from './session-store.ts';
import {
  changePasswordHash,
  findCredentialByLogin,
  findCredentialOf,
  findMe,
  type MeRow,
  upsertXUser,
} from './store.ts';

/** Throws account_banned for who was deleted while banned: asked after the upsert, which waits for a deletion at work. */
const takeXUser = async (trx: Trx, profile: XProfile): Promise<UserRow> => {
  const user = await upsertXUser(trx, profile);
  if (user.is_new && (await isShutOut(trx, profile.id))) throw new AppError('account_banned');
  return user;
};

const isBan = (error: unknown): boolean => error instanceof AppError && error.code === 'account_banned';

/** The person behind an access token of X, created or refreshed; 'suspended' when banned here. Throws XError. */
export async function signInWithX(app: App, accessToken: string): Promise<UserRow | 'suspended'> {
  const profile = await app.x.me(accessToken);
  try {
    const user = await inTransaction(app.db, (trx) => takeXUser(trx, profile));
    return user.banned_at === null && user.deleted_at === null ? user : 'suspended';
  } catch (error) {
    if (isBan(error)) return 'suspended';
    throw error;
  }
}

export async function getMe(app: App, actor: UserActor): Promise<MeRow> {
  const me = await findMe(app.db, actor.id);
  if (!me) throw unauthenticated();
  return me;
}

export interface SignedIn {
  me: MeRow;
  /** Of the password that was right. */
  passwordHash: string;
}

/**
 * One generic answer for an unknown name, a wrong password and somebody who is no administrator. The caller starts the
 * session, and then asks isStillRight.
 */
export async function signInWithPassword(app: App, login: string, password: string): Promise<SignedIn> {
  const credential = await findCredentialByLogin(app.db, login);
  const isRight = await app.passwords.verify(credential?.password_hash, password);
  if (!credential || !isRight || credential.role !== 'admin') throw new AppError('invalid_credentials');
  if (credential.banned_at !== null) throw new AppError('account_banned');
  const me = await findMe(app.db, credential.user_id);
  if (!me) throw new AppError('invalid_credentials');
  return { me, passwordHash: credential.password_hash };
}

/**
 * Whether the password that was right has not been reset since. A reset ends all sessions that it sees: one that was
 * started while it ran must end itself.
 */
export const isStillRight = async ({ db }: App, { me, passwordHash }: SignedIn): Promise<boolean> =>
  (await findCredentialOf(db, me.id))?.password_hash === passwordHash;

/** A new password is long enough and not on the list that is tried first. */
export function checkNewPassword(password: string): void {
  if ([...password].length < LIMITS.passwordMin)
    throw invalid({ newPassword: `New password must be at least ${LIMITS.passwordMin} characters long` });
  if (isCommonPassword(password)) throw invalid({ newPassword: 'This password is too common' });
}

/** Changes the actor's own password and ends all their sessions; the caller starts a new one. */
export async function changePassword(
  app: App,
  actor: UserActor,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  requestId?: string,
): Promise<void> {
  checkNewPassword(newPassword);
  const credential = await findCredentialOf(app.db, actor.id);
  if (!credential) throw notFound('You have no password');
  if (!(await app.passwords.verify(credential.password_hash, currentPassword)))
    throw new AppError('invalid_credentials', { message: 'Current password is incorrect' });
  const passwordHash = await app.passwords.hash(newPassword);
  await inTransaction(app.db, async (trx) => {
    // one that was reset meanwhile stays what the reset made it
    const isChanged = await changePasswordHash(trx, actor.id, { from: credential.password_hash, to: passwordHash });
    if (!isChanged) throw new AppError('invalid_credentials', { message: 'Current password is incorrect' });
    await deleteUserSessions(trx, actor.id);
    const target = { targetType: 'user', targetId: actor.id };
    await recordAudit(trx, actor, { action: 'password.change', ...target, requestId });
  });
}
