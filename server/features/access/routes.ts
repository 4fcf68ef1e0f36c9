import * as contract from '../../../contract/passkeys.ts';
import type { AppContext } from '../../app-context.ts';
import { type RequestInfo, type Route, route } from '../../endpoints/define.ts';
import { AppError } from '../../errors.ts';
import { presentMe } from '../auth/presenter.ts';
import { findMe } from '../auth/repository.ts';
import {
  type AccessChange,
  addPasskey,
  beginPasskey,
  beginSignIn,
  mayStillEnter,
  removePasskey,
  rename,
  signInWithPasskey,
} from './passkeys.ts';
import { listPasskeys, type PasskeyRow } from './passkeys-repository.ts';

const presentPasskey = ({ id, name, created_at, last_used_at }: PasskeyRow): contract.Passkey => ({
  id,
  name,
  createdAt: created_at,
  lastUsedAt: last_used_at,
});

const toChange = (request: RequestInfo): AccessChange => ({
  requestId: request.id,
  sessionHash: request.findSessionHash(),
});

/** Sessions of who has no X account end as those of a password do. */
const toSessionKind = ({ x_id }: { x_id: string | null }) => (x_id === null ? 'password' : 'x');

const readMe = async (ctx: AppContext, userId: string) => {
  const me = await findMe(ctx.db, userId);
  if (!me) throw new AppError('invalid_credentials');
  return presentMe(me, ctx.clock.now());
};

export const accessRoutes: readonly Route[] = [
  route(contract.listPasskeys, async ({ ctx, actor }) => (await listPasskeys(ctx.db, actor.id)).map(presentPasskey)),

  route(contract.beginPasskey, ({ ctx, actor }) => beginPasskey(ctx, actor)),

  route(contract.addPasskey, async ({ ctx, actor, body, request }) =>
    presentPasskey(await addPasskey(ctx, actor, body, toChange(request))),
  ),

  route(contract.renamePasskey, async ({ ctx, actor, params, body }) =>
    presentPasskey(await rename(ctx, actor, params.id, body.name)),
  ),

  route(contract.removePasskey, ({ ctx, actor, params, request }) =>
    removePasskey(ctx, actor, params.id, toChange(request)),
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
];
