import { timingSafeEqual } from 'node:crypto';
import type Router from '@koa/router';
import type { GrantConfig, GrantResponse } from 'grant';
import grantModule from 'grant';
import type { Context, Middleware } from 'koa';
import { X_SIGN_IN } from '../../../contract/auth.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { AppContext } from '../../app-context.ts';
import { limitKey } from '../../endpoints/client-address.ts';
import { AppError, notFound } from '../../errors.ts';
import { signInWithX } from '../../features/auth/service.ts';
import { toBanPath } from '../../features/notifications/ban-links.ts';
import { type ConnectResult, connectX } from '../../features/x-posts/service.ts';
import { POSTING_SCOPES } from '../../features/x-posts/tokens.ts';
import { readTokens, XError, type XTokens } from '../../integrations/x/client.ts';
import { ANONYMOUS, getSuspensionEnd } from '../../policy.ts';
import type { RouterContext } from '../endpoints/bind.ts';
import { markWrite } from '../request/read-your-writes.ts';
import { type Attempt, createSessionWriter, type SessionContext } from './session.ts';

const CONTROL_OR_BACKSLASH = /[\\\p{Cc}]/u;

/** A path of this site to return to; '/' for any value that could lead to another site. */
export function safeReturnTo(value: unknown): string {
  if (typeof value !== 'string' || value.length > LIMITS.returnTo || !value.startsWith('/') || value.startsWith('//'))
    return '/';
  if (CONTROL_OR_BACKSLASH.test(value)) return '/';
  const url = URL.parse(value, 'http://site.invalid');
  if (url?.origin !== 'http://site.invalid' || url.pathname.startsWith('//') || url.pathname.startsWith('/api/'))
    return '/';
  const path = url.pathname + url.search + url.hash;
  return path.length > LIMITS.returnTo || url.pathname.length > LIMITS.path ? '/' : path;
}

/** OAuth 2 with PKCE and state, which replaces Grant's own `twitter` (OAuth 1). Tokens are kept in ctx.state only. */
export const grantConfig = ({ config, x }: Pick<AppContext, 'config' | 'x'>): GrantConfig => ({
  defaults: { origin: config.publicUrl, prefix: '/api/auth', transport: 'state', state: true },
  twitter: {
    oauth: 2,
    authorize_url: x.urls.authorize,
    access_url: x.urls.token,
    scope_delimiter: ' ',
    scope: ['users.read', 'tweet.read', ...(config.xEmail ? ['users.email'] : [])],
    key: config.x.clientId,
    secret: config.x.clientSecret,
    pkce: true,
    // the second consent, for posting: requested on first use, with the same callback
    overrides: { post: { scope: [...POSTING_SCOPES] } },
    // never 'profile': with this key Grant throws on every denial
    response: ['tokens', 'raw'],
  },
});

type Outcome = 'denied' | 'error' | 'suspended' | 'x-suspended' | ConnectResult;

/** Of a user who was deleted while suspended: when they may sign in again. */
interface ShutOut {
  until?: string | undefined;
}

/** As many sign-ins may wait in the tabs of a browser. */
const MAX_ATTEMPTS = 5;

const isSame = (a: string, b: string): boolean => {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
};

/** The attempts of this browser, the newest last; also the one that the previous release began. */
const listAttempts = ({ attempts = [], grant, returnTo }: SessionContext['session']): Attempt[] => {
  const { state, code_verifier: verifier, override } = grant ?? {};
  if (!state || !verifier || attempts.some((attempt) => attempt.state === state)) return attempts;
  const former = {
    state,
    verifier,
    isForPosting: override === 'post',
    returnTo: safeReturnTo(returnTo),
    isOver: false,
  };
  return [...attempts, former];
};

const takeAttempt = (ctx: SessionContext, wanted: Attempt): void => {
  const attempts = listAttempts(ctx.session);
  ctx.session.attempts = attempts.map((one) =>
    one.state === wanted.state ? { ...one, verifier: '', isOver: true } : one,
  );
  delete ctx.session.returnTo;
  const { state, verifier, isForPosting } = wanted;
  ctx.session.grant = {
    provider: 'twitter',
    ...(isForPosting && { override: 'post' }),
    state,
    code_verifier: verifier,
  };
  ctx.state.attempt = wanted;
};

const withResult = (path: string, name: string, result: string): string => {
  const url = new URL(path, 'http://site.invalid');
  url.searchParams.set(name, result);
  return url.pathname + url.search + url.hash;
};

/** Ends the attempt of this request, and no other. */
function endAttempt(ctx: SessionContext, outcome: Outcome, { until }: ShutOut = {}): void {
  const { returnTo, isForPosting } = ctx.state.attempt as Attempt;
  const path = withResult(returnTo, isForPosting ? 'x' : 'auth', outcome);
  const back = until ? withResult(path, 'until', until) : path;
  delete ctx.session.grant;
  const isWaiting = listAttempts(ctx.session).some(({ isOver }) => !isOver);
  if (!ctx.session.userId && !isWaiting) ctx.session = null;
  ctx.redirect(back);
}

/**
 * A callback that fits no waiting attempt changes nothing. Who is signed in goes on to where the attempt led; somebody else
 * reads what helps.
 */
function leaveAttempts(ctx: SessionContext, former: Attempt | undefined): void {
  const problem = listAttempts(ctx.session).length > 0 ? 'error' : 'other-browser';
  ctx.redirect(ctx.session.userId ? (former?.returnTo ?? '/') : withResult('/', 'auth', problem));
}

/** Keeps the page to return to, and removes the query: Grant would store all of it in the session. */
const startSignIn: Middleware = async (ctx, next) => {
  const { returnTo } = ctx.query;
  ctx.query = {};
  const { session } = ctx as unknown as SessionContext;
  session.kind ??= 'start';
  const before = listAttempts(session);
  session.returnTo = safeReturnTo(returnTo);
  await next();
  // Grant has replaced what it keeps about the attempt before
  const { grant } = session;
  delete session.grant;
  const { state, code_verifier: verifier, override } = grant ?? {};
  if (!state || !verifier) return;
  const attempt = { state, verifier, isForPosting: override === 'post', returnTo: session.returnTo, isOver: false };
  Object.assign(session, { grant, attempts: [...before, attempt].slice(-MAX_ATTEMPTS) });
};

/** Grant accepts any `access_token` in the query, and checks state only on success: pass only code and state. */
const guardCallback: Middleware = async (context, next) => {
  const ctx = context as unknown as SessionContext;
  const { state, error, code } = ctx.query;
  const attempt = listAttempts(ctx.session).find((one) => typeof state === 'string' && isSame(state, one.state));
  if (!attempt || attempt.isOver) return leaveAttempts(ctx, attempt);
  takeAttempt(ctx, attempt);
  if (typeof error === 'string') return endAttempt(ctx, error === 'access_denied' ? 'denied' : 'error');
  if (typeof code !== 'string') return endAttempt(ctx, 'error');
  ctx.query = { code, state };
  await next();
};

const takeTokens = (ctx: SessionContext): XTokens | undefined => {
  const response = ctx.state.grant?.response as GrantResponse | undefined;
  ctx.state.grant = undefined;
  if (!response?.access_token || response.error) return undefined;
  return readTokens((response.raw ?? {}) as Record<string, unknown>);
};

const finish = (tools: RouterContext): Middleware =>
  async function finishGrant(context) {
    const ctx = context as unknown as SessionContext;
    const tokens = takeTokens(ctx);
    if (!tokens) return endAttempt(ctx, 'error');
    return (ctx.state.attempt as Attempt).isForPosting
      ? finishConnect(tools, ctx, tokens)
      : finishSignIn(tools, ctx, tokens);
  };

const isSuspendedAtX = (error: unknown): boolean => error instanceof XError && error.problem === 'user-suspended';

async function finishSignIn(tools: RouterContext, ctx: SessionContext, tokens: XTokens): Promise<void> {
  const { returnTo } = ctx.state.attempt as Attempt;
  const signedIn = await signInWithX(tools.appContext, tokens.accessToken).catch((error: unknown) => {
    if (error instanceof AppError && error.status === 403) return error;
    ctx.state.log.warn({ err: error }, 'sign-in failed');
    return isSuspendedAtX(error) ? ('x-suspended' as const) : ('error' as const);
  });
  if (typeof signedIn === 'string') return endAttempt(ctx, signedIn);
  if (signedIn instanceof AppError) return endAttempt(ctx, 'suspended', { until: signedIn.fields?.suspendedUntil });
  if (signedIn.banned_at !== null) {
    endAttempt(ctx, 'suspended');
    return ctx.redirect(toBanPath(tools.appContext, signedIn));
  }
  const attempts = listAttempts(ctx.session);
  await createSessionWriter(ctx).start(signedIn.id, 'x');
  ctx.session.attempts = attempts;
  tools.sessions.forget(signedIn.id);
  ctx.redirect(returnTo);
  markWrite(ctx as unknown as Context, tools.appContext);
}

async function finishConnect(
  { appContext, sessions }: RouterContext,
  ctx: SessionContext,
  tokens: XTokens,
): Promise<void> {
  const actor = await sessions.readActor(ctx as unknown as Context);
  if (actor.kind !== 'user') return endAttempt(ctx, 'error');
  const result = await connectX(appContext, actor, tokens).catch((error: unknown) => {
    ctx.state.log.warn({ err: error }, 'connecting X failed');
    return 'error' as const;
  });
  endAttempt(ctx, result);
}

/** Mounts Grant on exactly three paths: otherwise it would respond to /api/auth/me itself. */
export function addSignIn(router: Router, tools: RouterContext): void {
  const { appContext, limits, wrapSession } = tools;
  const grant = grantModule.default.koa({
    config: grantConfig(appContext),
    request: { timeout: 10_000 },
  }) as Middleware;
  const prepare: Middleware = async (ctx: Context, next) => {
    ctx.state.route = ctx._matchedRoute;
    ctx.set('Cache-Control', 'no-store');
    await limits.consume('signIn', limitKey(ANONYMOUS, ctx.state.ip));
    await next();
  };
  const startPosting: Middleware = async (ctx, next) => {
    if (appContext.config.xPosting !== 'api') throw notFound();
    const actor = await tools.sessions.readActor(ctx as Context);
    if (actor.kind === 'user' && getSuspensionEnd(actor, appContext.clock.now()) === null) return next();
    const outcome = actor.kind === 'user' ? 'suspended' : 'signed-out';
    ctx.redirect(withResult(safeReturnTo(ctx.query.returnTo), 'x', outcome));
  };
  router.register(X_SIGN_IN.start, ['GET'], [prepare, wrapSession, startSignIn, grant]);
  router.register(X_SIGN_IN.post, ['GET'], [prepare, startPosting, wrapSession, startSignIn, grant]);
  router.register(X_SIGN_IN.callback, ['GET'], [prepare, wrapSession, guardCallback, grant, finish(tools)]);
}
