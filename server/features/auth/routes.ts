import * as contract from '../../../contract/auth.ts';
import { speaking } from '../../../contract/i18n.ts';
import type { AppContext } from '../../app-context.ts';
import { addressBucket } from '../../endpoints/client-address.ts';
import { type Route, route, type SessionWriter } from '../../endpoints/define.ts';
import { AppError } from '../../errors.ts';
import { readTexts } from '../../lib/catalogs.ts';
import { presentMe } from './presenter.ts';
import { changePassword, getMe, isPasswordCurrent, signInWithPassword } from './service.ts';

const startSession = async (ctx: AppContext, session: SessionWriter, userId: string, passwordHash: string) => {
  await session.start(userId, 'password');
  if (await isPasswordCurrent(ctx, userId, passwordHash)) return;
  await session.end();
  throw new AppError('invalid_credentials');
};

export const authRoutes: readonly Route[] = [
  route(contract.getMe, async ({ ctx, actor, language }) => {
    const row = await getMe(ctx, actor);
    return speaking(readTexts(language), () => presentMe(row, ctx.clock.now()));
  }),

  route(contract.logout, ({ session }) => session.end(), { session: true }),

  route(
    contract.signInAdmin,
    async ({ ctx, language, body, request, session }) => {
      const { username: login, password } = body;
      const { signal } = request;
      const signedIn = await signInWithPassword(ctx, { login, password, address: addressBucket(request.ip), signal });
      await startSession(ctx, session, signedIn.me.id, signedIn.passwordHash);
      return speaking(readTexts(language), () => presentMe(signedIn.me, ctx.clock.now()));
    },
    { session: true },
  ),

  route(
    contract.changePassword,
    async ({ ctx, actor, body, request, session }) => {
      const passwordHash = await changePassword(ctx, actor, body, { requestId: request.id });
      await startSession(ctx, session, actor.id, passwordHash);
    },
    { session: true },
  ),
];
