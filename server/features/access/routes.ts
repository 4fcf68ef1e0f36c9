import { LIMITS } from '../../../contract/limits.ts';
import * as contract from '../../../contract/passkeys.ts';
import * as recovery from '../../../contract/recovery.ts';
import type { AppContext } from '../../app-context.ts';
import { addressBucket } from '../../endpoints/client-address.ts';
import { type Route, route, type SessionWriter } from '../../endpoints/define.ts';
import { AppError } from '../../errors.ts';
import { presentMe } from '../auth/presenter.ts';
import { findMe } from '../auth/repository.ts';
import { withRenewal } from '../sessions/session-renewal.ts';
import {
  addPasskey,
  beginPasskey,
  beginSignIn,
  mayStillEnter,
  removePasskey,
  rename,
  signInWithPasskey,
} from './passkeys.ts';
import { listPasskeys, type PasskeyRow } from './passkeys-repository.ts';
import { switchOwnPasswordOff } from './password-off.ts';
import { deleteCodes, makeCodes, mayHolderEnter, recoverByCode, recoverByLink, requestRecovery } from './recovery.ts';
import { type HolderRow, readCodes } from './recovery-repository.ts';

const presentPasskey = ({ id, name, created_at, last_used_at }: PasskeyRow): contract.Passkey => ({
  id,
  name,
  createdAt: created_at,
  lastUsedAt: last_used_at,
});

/** Sessions of who has no X account end as those of a password do. */
const toSessionKind = ({ x_id }: { x_id: string | null }) => (x_id === null ? 'password' : 'x');

const startSession = async (ctx: AppContext, session: SessionWriter, holder: HolderRow): Promise<void> => {
  await session.start(holder.user_id, toSessionKind(holder));
  if (await mayHolderEnter(ctx, holder.user_id)) return;
  await session.end();
  throw new AppError('invalid_credentials');
};

const readMe = async (ctx: AppContext, userId: string) => {
  const me = await findMe(ctx.db, userId);
  if (!me) throw new AppError('invalid_credentials');
  return presentMe(me, ctx.clock.now());
};

export const accessRoutes: readonly Route[] = [
  route(contract.listPasskeys, async ({ ctx, actor }) => (await listPasskeys(ctx.db, actor.id)).map(presentPasskey)),

  route(contract.beginPasskey, ({ ctx, actor }) => beginPasskey(ctx, actor)),

  route(contract.addPasskey, async ({ ctx, actor, body, request }) =>
    presentPasskey(await withRenewal(request, (change) => addPasskey(ctx, actor, body, change))),
  ),

  route(contract.renamePasskey, async ({ ctx, actor, params, body, request }) =>
    presentPasskey(await rename(ctx, actor, params.id, body.name, { requestId: request.id })),
  ),

  route(contract.removePasskey, ({ ctx, actor, params, request }) =>
    withRenewal(request, (change) => removePasskey(ctx, actor, params.id, change)),
  ),

  route(contract.beginPasskeySignIn, ({ ctx }) => beginSignIn(ctx)),

  route(
    contract.signInWithPasskey,
    async ({ ctx, body, session }) => {
      const passkey = await signInWithPasskey(ctx, body.credential);
      await session.start(passkey.user_id, toSessionKind(passkey));
      if (!(await mayStillEnter(ctx, passkey))) {
        await session.end();
        throw new AppError('invalid_credentials');
      }
      return readMe(ctx, passkey.user_id);
    },
    { session: true },
  ),

  route(contract.switchPasswordOff, ({ ctx, actor, request }) =>
    withRenewal(request, (change) => switchOwnPasswordOff(ctx, actor, change)),
  ),

  route(recovery.requestRecovery, async ({ ctx, body }) => {
    await requestRecovery(ctx, body.email);
    return { minutes: LIMITS.recoveryLinkMinutes };
  }),

  route(
    recovery.recoverByLink,
    async ({ ctx, body, request, session }) => {
      const holder = await recoverByLink(ctx, body.token, { requestId: request.id });
      await startSession(ctx, session, holder);
      return readMe(ctx, holder.user_id);
    },
    { session: true },
  ),

  route(
    recovery.recoverByCode,
    async ({ ctx, body, request, session }) => {
      const attempt = { ...body, address: addressBucket(request.ip), signal: request.signal };
      const holder = await recoverByCode(ctx, attempt, { requestId: request.id });
      await startSession(ctx, session, holder);
      return readMe(ctx, holder.user_id);
    },
    { session: true },
  ),

  route(recovery.getRecoveryCodes, ({ ctx, actor }) => readCodes(ctx.db, actor.id)),

  route(recovery.makeRecoveryCodes, async ({ ctx, actor, request }) => ({
    codes: await withRenewal(request, (change) => makeCodes(ctx, actor, change)),
  })),

  route(recovery.deleteRecoveryCodes, ({ ctx, actor, request }) =>
    withRenewal(request, (change) => deleteCodes(ctx, actor, change)),
  ),
];
