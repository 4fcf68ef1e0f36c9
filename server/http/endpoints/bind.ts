import { Readable } from 'node:stream';
import type Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { type EndpointSpec, getLimit } from '../../../contract/endpoint.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { AppContext } from '../../app-context.ts';
import { limitKey } from '../../endpoints/client-address.ts';
import type { Route, RouteOf, SessionWriter } from '../../endpoints/define.ts';
import { parseBody, parseForm, parseJson, parseParams, parseQuery } from '../../endpoints/input.ts';
import { AppError } from '../../errors.ts';
import { toImageType } from '../../integrations/images/formats.ts';
import { type Actor, ANONYMOUS, getUserId, type UserActor } from '../../policy.ts';
import type { RateLimits } from '../middleware/rate-limit.ts';
import type { ResponseCache } from '../middleware/response-cache.ts';
import { readLanguageOf, speakingTo } from '../request/language.ts';
import { hasJustWritten, markWrite, withReads } from '../request/read-your-writes.ts';
import { hasToken, isSignedOut, toRequestInfo, toViewer } from '../request/request-info.ts';
import { type CachedResponse, sendCachedResponse, toCachedResponse } from '../response/cached-response.ts';
import type { TokenReader } from '../session/access-token.ts';
import type { SessionContext, SessionReader } from '../session/session.ts';
import type { EventStreams } from '../sse/event-streams.ts';
import { readBody, streamBody, type UploadQuota } from '../uploads/body.ts';
import { authorize } from './authorize.ts';
import { createIdempotency, StoredResponse } from './idempotency.ts';
import { createResponseHelper, getSuccessStatus, isJsonStream, serializeResponse } from './output.ts';

export interface RouterContext {
  appContext: AppContext;
  routes: readonly Route[];
  sessions: SessionReader;
  tokens: TokenReader;
  wrapSession: Middleware;
  createSessionWriter(ctx: SessionContext): SessionWriter;
  limits: RateLimits;
  uploadQuota: UploadQuota;
  responseCache: ResponseCache;
  streams: EventStreams;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Counts the request in the endpoint's limit and authorizes the actor. With a cached session, the limiter and the
 * session are queried concurrently.
 */
async function admit(ctx: Context, spec: EndpointSpec, tools: RouterContext): Promise<Actor> {
  const { appContext, sessions, tokens, limits } = tools;
  const count = (actor: Actor) => limits.consume(getLimit(spec), limitKey(actor, ctx.state.ip));
  // a foreign page may have sent the cookie: only the signed token counts
  if (spec.oneClick) {
    await count(ANONYMOUS);
    return ANONYMOUS;
  }
  const holder = await tokens.readActor(ctx);
  const likely = holder ? undefined : sessions.peekActor(ctx.req);
  const counting = likely && count(likely);
  // awaited below, if the session still belongs to that user
  counting?.catch(() => {});
  const actor = holder ?? (await sessions.readActor(ctx));
  ctx.state.actor = actor;
  await (actor.kind === 'user' && actor.id === likely?.id ? counting : count(actor));
  checkExpectedUser(ctx, actor, spec);
  return authorize(appContext, actor, spec);
}

/**
 * The browser names the user whom its page shows in X-User-Id, empty when signed out: another tab may have changed the
 * session since. A session that ended is `unauthenticated` where one is needed. @throws {AppError} account_changed
 */
function checkExpectedUser({ headers, query }: Context, actor: Actor, { access, events }: EndpointSpec): void {
  const expected = events ? query.userId : headers['x-user-id'];
  if (expected === undefined || expected === (getUserId(actor) ?? '')) return;
  if (actor.kind === 'user' || access === 'public') throw new AppError('account_changed');
}

function sendPrivate(
  ctx: Context,
  status: number,
  headers: Record<string, string>,
  json: string | Buffer | Readable | undefined,
) {
  ctx.status = status;
  ctx.set(headers);
  ctx.set('Cache-Control', 'no-store');
  if (json === undefined) return;
  ctx.set('Content-Type', JSON_TYPE);
  ctx.body = json;
  // Koa leaves a started response open when its stream fails
  if (json instanceof Readable) json.once('error', () => ctx.res.destroy());
}

/** The checks say what is wrong in the language of the request. @throws {AppError} not_found, validation_failed */
function readAddress({ req, params, query }: Context, spec: EndpointSpec, { config }: AppContext) {
  return speakingTo(req, config, () => ({
    params: parseParams(spec.params, params),
    query: parseQuery(spec.query, query),
  }));
}

/** A file that only this caller may see. Its browser keeps it, and asks each time whether it still may. */
function sendFile(ctx: Context, headers: Record<string, string>, file: Buffer): void {
  ctx.status = 200;
  ctx.set({
    ...headers,
    'Cache-Control': 'private, no-cache',
    'Content-Security-Policy': "sandbox; default-src 'none'",
    Vary: 'Cookie, Authorization',
  });
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = toImageType(file);
  ctx.body = file;
}

async function respondToQuery(ctx: Context, route: RouteOf<'query' | 'cached-query'>, tools: RouterContext) {
  const { spec } = route;
  const { appContext } = tools;
  const actor = (await admit(ctx, spec, tools)) as UserActor;
  const { params, query } = readAddress(ctx, spec, appContext);
  const language = readLanguageOf(ctx.req, actor, appContext.config);
  const { helper, headers, onSend } = createResponseHelper(ctx);
  const reply = await withReads(ctx, appContext, async (reading) =>
    route.handle({ ctx: reading, actor, language, params, query, reply: helper }),
  );
  onSend()?.(toViewer(ctx.req, ctx.state.ip));
  if (spec.replyTypes) return sendFile(ctx, headers, reply as Buffer);
  const json = isJsonStream(reply) ? reply.stream : serializeResponse(spec, reply, appContext.config.checkReplies);
  sendPrivate(ctx, getSuccessStatus(spec), headers, json);
}

async function respondFromCache(ctx: Context, { spec, handle }: RouteOf<'cached-query'>, tools: RouterContext) {
  const { appContext, limits, responseCache } = tools;
  await limits.consume(getLimit(spec), limitKey(ANONYMOUS, ctx.state.ip));
  // not within `create`, whose error requests in other languages would share
  const { params, query } = readAddress(ctx, spec, appContext);
  const create = async (): Promise<CachedResponse> => {
    const { helper, headers, onSend } = createResponseHelper(ctx);
    const reply = await withReads(ctx, appContext, async (reading) =>
      handle({ ctx: reading, actor: ANONYMOUS, params, query, reply: helper }),
    );
    const json = serializeResponse(spec, reply, appContext.config.checkReplies) ?? '';
    const fixed = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'public, no-cache' };
    return {
      ...toCachedResponse(getSuccessStatus(spec), { ...headers, ...fixed }, json),
      route: spec.path,
      isForSignedOut: spec.shared === 'signed-out',
      hidesBlocked: spec.hidesBlocked,
      onSend: onSend(),
    };
  };
  const response = await (hasJustWritten(ctx, appContext.config) ? create() : responseCache.get(ctx.url, create));
  response.onSend?.(toViewer(ctx.req, ctx.state.ip));
  await sendCachedResponse(ctx, response);
}

/** A body may arrive minutes after its head: nobody writes with what was revoked meanwhile. @throws as `admit` does */
async function admitAgain(ctx: Context, spec: EndpointSpec, actor: Actor, tools: RouterContext): Promise<void> {
  const caller = (await tools.tokens.readActor(ctx)) ?? (await tools.sessions.readActor(ctx));
  if (getUserId(authorize(tools.appContext, caller, spec)) !== getUserId(actor)) throw new AppError('account_changed');
}

/** The file of a request, as it arrives and is read. The request has no place while the server waits for its client. */
async function* receiveStream(ctx: Context, { spec }: Route, actor: Actor, tools: RouterContext) {
  const isWhole = ctx.req.complete;
  const { bodyLimit: limit = LIMITS.bodyJson, bodyTypes: fileTypes } = spec;
  const chunks = streamBody(ctx.req, { limit, isForm: false, fileTypes });
  const pull = () => chunks.next();
  const next = () => ctx.state.withoutPlace?.(pull) ?? pull();
  try {
    for (let result = await next(); !result.done; result = await next()) yield result.value;
  } finally {
    await chunks.return(undefined);
  }
  if (!isWhole) await admitAgain(ctx, spec, actor, tools);
}

/** actor → limiter → policy → body → schema → handler → response. */
async function respondToCommand(ctx: Context, route: RouteOf<'command'>, tools: RouterContext): Promise<void> {
  const { spec, handle, options } = route;
  const { appContext, uploadQuota } = tools;
  const actor = (await admit(ctx, spec, tools)) as UserActor;
  const scope = limitKey(actor, ctx.state.ip);
  const { params, query } = readAddress(ctx, spec, appContext);
  const { bodyLimit: limit = LIMITS.bodyJson, bodyTypes: fileTypes } = spec;
  const owners = [scope, limitKey(ANONYMOUS, ctx.state.ip)];
  const isForm = spec.oneClick === true;
  const target = { limit, isForm, fileTypes, quota: uploadQuota, owners };
  const read = () => readBody(ctx.req, target);
  const receive = async () => {
    const isWhole = ctx.req.complete;
    const body = await (ctx.state.withoutPlace?.(read) ?? read());
    if (isWhole || actor.kind !== 'user') return body;
    return admitAgain(ctx, spec, actor, tools).then(
      () => body,
      (refusal: unknown) => {
        body.release();
        throw refusal;
      },
    );
  };
  let received = spec.body ? await receive() : undefined;
  const readFile = async () => {
    received = await receive();
    return received.bytes;
  };
  try {
    const status = getSuccessStatus(spec);
    const header = spec.idempotent ? ctx.get('Idempotency-Key') : '';
    const endpoint = `${spec.method} ${ctx.path}`;
    const once = createIdempotency(appContext, { scope, endpoint, header, bodyHash: received?.sha256, status });
    const json = received && (isForm ? parseForm(received.bytes) : parseJson(received.bytes, spec.jsonLimit));
    const { helper, headers, status: chosen } = createResponseHelper(ctx);
    const reply = await handle({
      ctx: appContext,
      actor,
      language: readLanguageOf(ctx.req, actor, appContext.config),
      params,
      query,
      body: speakingTo(ctx.req, appContext.config, () => parseBody(spec.body, json)),
      readFile: fileTypes && readFile,
      streamFile: spec.streamsBody && (() => receiveStream(ctx, route, actor, tools)),
      request: {
        ...toRequestInfo(ctx),
        findSessionHash: () => tools.sessions.findSidHash(ctx),
        renewSession: () => tools.sessions.renew(ctx),
      },
      reply: helper,
      once,
      session: options.session && tools.createSessionWriter(ctx as SessionContext),
    });
    sendPrivate(ctx, chosen() ?? status, headers, serializeResponse(spec, reply, appContext.config.checkReplies));
  } catch (thrown) {
    if (!(thrown instanceof StoredResponse)) throw thrown;
    sendPrivate(ctx, thrown.status, { 'Idempotent-Replayed': 'true' }, JSON.stringify(thrown.reply));
  } finally {
    received?.release();
  }
}

async function openStream(ctx: Context, { spec, handle }: RouteOf<'stream'>, tools: RouterContext): Promise<void> {
  const actor = (await admit(ctx, spec, tools)) as UserActor;
  const { query } = readAddress(ctx, spec, tools.appContext);
  const stream = tools.streams.open(ctx, spec, actor);
  if (stream) await handle({ ctx: tools.appContext, actor, query, stream });
}

/** The response is the same for this caller as for everyone else. With a token, it is neither cached nor read from a cache. */
async function isSharedFor(
  ctx: Context,
  { shared, hidesBlocked }: EndpointSpec,
  { appContext, sessions }: RouterContext,
) {
  if (hasToken(ctx.req)) return false;
  if (isSignedOut(ctx.req, appContext.config) || (shared === true && !hidesBlocked)) return true;
  const actor = await sessions.readActor(ctx);
  return actor.kind !== 'user' || (shared === true && actor.hasBlocks === false);
}

async function respond(ctx: Context, route: Route, tools: RouterContext): Promise<void> {
  if (route.kind === 'stream') return openStream(ctx, route, tools);
  if (route.kind === 'command') return respondToCommand(ctx, route, tools);
  const isShared = route.kind === 'cached-query' && (await isSharedFor(ctx, route.spec, tools));
  return isShared ? respondFromCache(ctx, route, tools) : respondToQuery(ctx, route, tools);
}

export function bindRoute(router: Router, route: Route, tools: RouterContext): void {
  const { spec, options, kind } = route;
  const handle: Middleware = async (ctx) => {
    ctx.state.route = spec.path;
    await respond(ctx as Context, route, tools);
  };
  const noteWrite: Middleware = async (ctx, next) => {
    await next();
    const isPerson = ctx.state.actor?.kind === 'user' || Boolean(ctx.session?.userId);
    if (!spec.changesNothing && isPerson && !hasToken(ctx.req)) markWrite(ctx as Context, tools.appContext);
    // the session event arrives after the response
    if (spec.access === 'admin' || spec.access === 'moderator') tools.sessions.forget();
    else if (options.session && ctx.state.actor?.kind === 'user') tools.sessions.forget(ctx.state.actor.id);
  };
  const chain = [...(kind === 'command' ? [noteWrite] : []), ...(options.session ? [tools.wrapSession] : []), handle];
  router.register(spec.path, [spec.method], chain);
}
