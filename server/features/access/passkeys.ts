import { randomBytes } from 'node:crypto';
import type { TextKey } from '../../../contract/i18n.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { CreationOptions, NewCredential, RequestOptions, UsedCredential } from '../../../contract/passkeys.ts';
import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError, conflict, notFound, unauthenticated } from '../../errors.ts';
import type { UserActor } from '../../policy.ts';
import { type AuditContext, recordAudit } from '../audit/repository.ts';
import { readSite } from '../brand/site.ts';
import { toBanPath } from '../notifications/ban-links.ts';
import type { SessionChange } from '../sessions/session-renewal.ts';
import { findSession, isEnding } from '../sessions/session-repository.ts';
import { lockActiveActor } from '../users/active-actor.ts';
import { findUser, lockUserForUpdate } from '../users/repository.ts';
import { checkWayIn, concludeChange } from './changes.ts';
import {
  deletePasskey,
  findPasskey,
  type HeldPasskeyRow,
  insertChallenge,
  insertPasskey,
  listPasskeys,
  noteUse,
  type PasskeyRow,
  renamePasskey,
  takeChallenge,
} from './passkeys-repository.ts';
import {
  createChallenge,
  HANDLE_BYTES,
  type TakeChallenge,
  toCreationOptions,
  toRequestOptions,
  verifyNew,
  verifyUse,
} from './web-authn.ts';

const checkRoom = (count: number): void => {
  if (count >= LIMITS.passkeys) throw conflict('errors.passkeysFull', { max: LIMITS.passkeys });
};

/**
 * The session must still exist, under the id of the request: a body may arrive long after that has ended. @throws {AppError}
 * unauthenticated, account_banned, account_suspended
 */
export async function lockForChange(trx: Trx, actor: UserActor, sessionHash: Buffer | undefined): Promise<void> {
  await lockUserForUpdate(trx, actor.id);
  await lockActiveActor(trx, actor);
  if (sessionHash && ((await findSession(trx, sessionHash)) === undefined || (await isEnding(trx, sessionHash))))
    throw unauthenticated();
}

/** @throws {AppError} conflict (too many) */
export async function beginPasskey(ctx: AppContext, actor: UserActor): Promise<CreationOptions> {
  const [user, passkeys] = [await findUser(ctx.db, actor.id), await listPasskeys(ctx.db, actor.id)];
  if (user === undefined) throw notFound();
  checkRoom(passkeys.length);
  // random, because an authenticator shows it to whoever asks
  const handle = passkeys[0]?.user_handle ?? randomBytes(HANDLE_BYTES);
  const challenge = createChallenge();
  await insertChallenge(ctx.db, challenge, { userId: actor.id, userHandle: handle });
  const name = user.username === null ? user.display_name : `@${user.username}`;
  const person = { handle, name, displayName: user.display_name };
  const known = passkeys.map(({ credential_id }) => credential_id);
  return toCreationOptions((await readSite(ctx)).config, challenge, person, known);
}

/** @throws {AppError} validation_failed, conflict (registered already, too many, or a challenge that is over) */
export async function addPasskey(
  ctx: AppContext,
  actor: UserActor,
  { name, credential }: { name: string; credential: NewCredential },
  change: SessionChange,
): Promise<PasskeyRow> {
  const { requestId } = change;
  let handle: Buffer | null | undefined;
  const take: TakeChallenge = async (challenge) => {
    handle = (await takeChallenge(ctx.db, challenge, actor.id))?.user_handle;
    return handle !== undefined;
  };
  const key = await verifyNew(ctx.config, credential, take).catch((error: unknown) => {
    ctx.log.info({ err: error, userId: actor.id }, 'a new passkey was refused');
    throw conflict('errors.passkeyNotAdded');
  });
  return inTransaction(ctx.db, async (trx) => {
    await lockForChange(trx, actor, change.sessionHash);
    checkRoom((await listPasskeys(trx, actor.id)).length);
    const passkey = await insertPasskey(trx, {
      user_id: actor.id,
      credential_id: key.credentialId,
      user_handle: handle!,
      public_key: key.publicKey,
      counter: String(key.counter),
      name,
    });
    if (passkey === undefined) throw conflict('errors.passkeyRegistered');
    await concludeChange(trx, ctx, { userId: actor.id, params: { is: 'passkeyAdded', name } }, change);
    await recordAudit(trx, actor, { action: 'passkey.add', target: ['user', actor.id], details: { name }, requestId });
    return passkey;
  });
}

export const rename = (
  ctx: AppContext,
  actor: UserActor,
  id: string,
  name: string,
  { requestId }: AuditContext = {},
): Promise<PasskeyRow> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveActor(trx, actor);
    const passkey = await renamePasskey(trx, { id, userId: actor.id, name });
    if (passkey === undefined) throw notFound('errors.passkeyNotFound');
    await recordAudit(trx, actor, {
      action: 'passkey.rename',
      target: ['user', actor.id],
      details: { name },
      requestId,
    });
    return passkey;
  });

/** @throws {AppError} not_found, conflict (the last way in) */
export const removePasskey = (ctx: AppContext, actor: UserActor, id: string, change: SessionChange): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    const { requestId } = change;
    await lockForChange(trx, actor, change.sessionHash);
    const passkey = await deletePasskey(trx, id, actor.id);
    if (passkey === undefined) throw notFound('errors.passkeyNotFound');
    await checkWayIn(trx, actor.id);
    await concludeChange(trx, ctx, { userId: actor.id, params: { is: 'passkeyRemoved', name: passkey.name } }, change);
    const details = { name: passkey.name };
    await recordAudit(trx, actor, { action: 'passkey.remove', target: ['user', actor.id], details, requestId });
  });

export async function beginSignIn(ctx: AppContext): Promise<RequestOptions> {
  const challenge = createChallenge();
  await insertChallenge(ctx.db, challenge, null);
  return toRequestOptions(ctx.config, challenge);
}

const refuse = (key: TextKey) => new AppError('invalid_credentials', { key });

/** @throws {AppError} account_banned, with the path of the page that says why */
export function checkMayEnter(
  ctx: AppContext,
  holder: Pick<HeldPasskeyRow, 'user_id' | 'banned_at' | 'user_created_at' | 'is_disabled'>,
): void {
  if (holder.is_disabled) throw refuse('errors.signInDisabled');
  if (holder.banned_at === null) return;
  const banPath = toBanPath(ctx, { id: holder.user_id, created_at: holder.user_created_at });
  throw new AppError('account_banned', { fields: { banPath } });
}

/**
 * The person whose passkey this is. The caller starts the session and then calls mayStillEnter. A suspended person signs in.
 * @throws {AppError} invalid_credentials, account_banned
 */
export async function signInWithPasskey(ctx: AppContext, credential: UsedCredential): Promise<HeldPasskeyRow> {
  const passkey = await findPasskey(ctx.db, Buffer.from(credential.id, 'base64url'));
  const take: TakeChallenge = async (challenge) => (await takeChallenge(ctx.db, challenge, null)) !== undefined;
  if (passkey === undefined) throw refuse('errors.unknownPasskey');
  const { userHandle } = credential.response;
  if (!userHandle || !passkey.user_handle.equals(Buffer.from(userHandle, 'base64url')))
    throw refuse('errors.unknownPasskey');
  const counter = await verifyUse(ctx.config, credential, passkey.public_key, take).catch((error: unknown) => {
    ctx.log.info({ err: error, userId: passkey.user_id }, 'a passkey was refused');
    throw refuse('errors.passkeyNotAccepted');
  });
  checkMayEnter(ctx, passkey);
  if (counter > 0 && counter <= Number(passkey.counter))
    ctx.log.warn({ userId: passkey.user_id, passkeyId: passkey.id }, 'the counter of a passkey went back');
  await noteUse(ctx.db, passkey.id, counter);
  return passkey;
}

/**
 * Whether nothing has changed since the passkey was accepted. A removal, a ban and an operator end only the sessions that they
 * see, so a session that started concurrently must end itself.
 */
export async function mayStillEnter(ctx: AppContext, { credential_id }: PasskeyRow): Promise<boolean> {
  const passkey = await findPasskey(ctx.db, credential_id, true);
  return passkey !== undefined && passkey.banned_at === null && !passkey.is_disabled;
}
