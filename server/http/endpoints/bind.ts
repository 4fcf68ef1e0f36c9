import { Readable } from 'node:stream';
import type Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { EndpointSpec } from '../../../contract/endpoint.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { AppContext } from '../../app-context.ts';
import { AppError, unauthenticated } from '../../errors.ts';
import { clearPublicCaches } from '../../features/ads/public-caches.ts';
import { type Actor, ANONYMOUS, mayCall, type UserActor } from '../../policy.ts';
import { limitKey, type RateLimits } from '../middleware/rate-limit.ts';
import { isSignedOut, toRequestInfo, toViewer } from '../request-info.ts';
import { type EncodedResponse, flatten, packText, writeResponse } from '../response-cache/answer-writer.ts';
import type { ResponseCache } from '../response-cache/microcache.ts';
import type { PersonalCache } from '../response-cache/personal-cache.ts';
import { type CachedResponse, sendCachedResponse, toCachedResponse } from '../response-cache/prepared-answer.ts';
import { hasJustWritten, markWrite, withReads } from '../response-cache/read-your-writes.ts';
import type { SessionReader } from '../session/reader.ts';
import { createSessionWriter, type SessionContext } from '../session/writer.ts';
import type { EventStreams } from '../sse/event-streams.ts';
import { type Body, readBody, type UploadQuota, type UploadTarget, uploadDirectory } from '../uploads/body.ts';
import { checkJson, parseJson } from '../uploads/json.ts';
import type { HandlerInput, Route } from './define.ts';
import { createIdempotency, StoredResponse } from './idempotency.ts';
import { parseBody, parseParams, parseQuery } from './input.ts';
import { createResponseHelper, getSuccessStatus, isJsonStream, serializeResponse } from './output.ts';

/** What every bound route shares. */
export interface RouterContext {
  appContext: AppContext;
  sessions: SessionReader;
  wrapSession: Middleware;
  limits: RateLimits;
  uploadQuota: UploadQuota;
  responseCache: ResponseCache;
  personalCache: PersonalCache;
  streams: EventStreams;
}

const SAFE = new Set(['GET', 'HEAD']);
const JSON_TYPE = 'application/json; charset=utf-8';

/** Throws what keeps the actor from this endpoint. */
function refuse(actor: Actor, spec: EndpointSpec): void {
  if (mayCall(actor, spec.access)) return;
  throw actor.kind === 'user' ? new AppError('forbidden', { message: 'Administrators only' }) : unauthenticated();
}

/** An answer that is its receiver's alone. */
function finishReply(
  status: number,
  headers: Record<string, string>,
  json: string | Buffer | Readable | undefined,
): EncodedResponse {
  const own = { ...headers, 'Cache-Control': 'no-store' };
  if (json === undefined) return { status, headers: flatten(own), body: undefined };
  if (json instanceof Readable) return { status, headers: flatten({ ...own, 'Content-Type': JSON_TYPE }), body: json };
  const body = packText(json);
  const about = { 'Content-Type': JSON_TYPE, 'Content-Length': String(Buffer.byteLength(body)) };
  return { status, headers: flatten({ ...own, ...about }), body };
}

const bodyPlace = (
  { bodyLimit = LIMITS.bodyJson }: EndpointSpec,
  { appContext, uploadQuota }: RouterContext,
  owner: string,
): UploadTarget => ({
  limit: bodyLimit,
  budget: uploadQuota,
  owner,
  directory: uploadDirectory(appContext),
});

async function parseReceived(received: Body | undefined, { options }: Route, appContext: AppContext) {
  if (!received || received.size === 0) return { json: undefined, attachment: undefined };
  if (!options.readBody) return { json: parseJson(received.source as Buffer), attachment: undefined };
  const read = await options.readBody(appContext, received.source);
  checkJson(read.json);
  return read;
}

/**
 * Who calls, counted and let in. Limits are counted by person: whoever the session was of just now is counted while
 * PostgreSQL is asked whose it is, which is another round trip.
 */
async function admit(ctx: Context, spec: EndpointSpec, { sessions, limits }: RouterContext): Promise<Actor> {
  const count = (actor: Actor) => limits.consume(spec.limit, limitKey(actor, ctx.state.ip));
  const likely = sessions.peekActor(ctx.req);
  const counting = likely && count(likely);
  // thrown below, if it is the caller's
  counting?.catch(() => {});
  const actor = await sessions.readActor(ctx);
  ctx.state.actor = actor;
  await (actor.kind === 'user' && actor.id === likely?.id ? counting : count(actor));
  refuse(actor, spec);
  return actor;
}

/** actor → limiter → policy → body → zod → handler → reply. */
async function answerCall(ctx: Context, route: Route, tools: RouterContext): Promise<void> {
  const { spec } = route;
  const { personalCache } = tools;
  const actor = await admit(ctx, spec, tools);
  if (spec.events) return answerStream(ctx, route, tools, actor);
  const make = () => makeReply(ctx, route, tools, actor);
  if (!spec.hot || actor.kind !== 'user' || hasJustWritten(ctx)) return writeResponse(ctx, await make());
  writeResponse(ctx, personalCache.find(actor.id, ctx.url) ?? (await personalCache.make(actor.id, ctx.url, make)));
}

/** Begins a stream of events; it goes on when this is done. */
async function answerStream(
  ctx: Context,
  { spec, handle }: Route,
  { appContext, streams }: RouterContext,
  actor: Actor,
) {
  const stream = streams.open(ctx, spec, actor as UserActor);
  if (stream) await handle({ ctx: appContext, actor, stream } as never);
}

async function makeReply(ctx: Context, route: Route, tools: RouterContext, actor: Actor): Promise<EncodedResponse> {
  const { spec, handle } = route;
  const { appContext, limits } = tools;
  const key = limitKey(actor, ctx.state.ip);
  const params = parseParams(spec.params, ctx.params);
  const query = parseQuery(spec.query, ctx.query);

  const received = spec.body ? await readBody(ctx.req, bodyPlace(spec, tools, key)) : undefined;
  try {
    const header = spec.idempotent ? ctx.get('Idempotency-Key') : '';
    const endpoint = `${spec.method} ${spec.path}`;
    const keyed = { scope: key, endpoint, header, bodyHash: received?.sha256, status: getSuccessStatus(spec) };
    const idempotency = createIdempotency(appContext, keyed);
    // a small body costs less than to ask twice: `once` looks again
    if (route.options.readBody) await idempotency.replay();
    const { json, attachment } = await parseReceived(received, route, appContext);
    const body = parseBody(spec.body, json);
    const { helper, headers, onSend } = createResponseHelper(ctx);
    const call: HandlerInput<EndpointSpec, unknown> = {
      ctx: appContext,
      // biome-ignore lint/suspicious/noExplicitAny: narrowed by mayCall above to what the access promises
      actor: actor as any,
      params: params as never,
      query: query as never,
      body: body as never,
      request: toRequestInfo(ctx),
      reply: helper,
      once: idempotency.once,
      session: createSessionWriter(ctx as SessionContext),
      stream: undefined,
      limit: (other) => limits.consume(spec.limit, other),
      attachment,
    };
    const reply = SAFE.has(spec.method)
      ? await withReads(ctx, appContext, (reading) => handle({ ...call, ctx: reading }))
      : await handle(call);
    onSend()?.(toViewer(ctx.req, ctx.state.ip));
    if (isJsonStream(reply)) return finishReply(getSuccessStatus(spec), headers, reply.stream);
    return finishReply(getSuccessStatus(spec), headers, serializeResponse(spec, reply, appContext.config.checkReplies));
  } catch (thrown) {
    if (!(thrown instanceof StoredResponse)) throw thrown;
    return finishReply(thrown.status, { 'Idempotent-Replayed': 'true' }, JSON.stringify(thrown.reply));
  } finally {
    await received?.release();
  }
}

/** The same for everybody (signed out): no session is read, and the answer is made at most once a second. */
async function answerShared(ctx: Context, { spec, handle }: Route, tools: RouterContext): Promise<void> {
  const { appContext, limits, responseCache } = tools;
  await limits.consume(spec.limit, limitKey(ANONYMOUS, ctx.state.ip));
  const params = parseParams(spec.params, ctx.params);
  const query = parseQuery(spec.query, ctx.query);
  const key = JSON.stringify([spec.path, params, sortKeys(query)]);
  const make = async (): Promise<CachedResponse> => {
    const { helper, headers, onSend, asOf } = createResponseHelper(ctx);
    const base = {
      ctx: appContext,
      actor: ANONYMOUS,
      params,
      query,
      body: undefined,
      attachment: undefined,
      reply: helper,
    };
    const call = { ...base, request: toRequestInfo(ctx, true) } as unknown as HandlerInput<EndpointSpec>;
    const reply = await withReads(ctx, appContext, (reading) => handle({ ...call, ctx: reading }));
    const json = serializeResponse(spec, reply, appContext.config.checkReplies) ?? '';
    const fixed = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'public, no-cache' };
    return {
      ...toCachedResponse(getSuccessStatus(spec), { ...headers, ...fixed }, json),
      route: spec.path,
      isForSignedOut: spec.shared === 'signed-out',
      onSend: onSend(),
      asOf: asOf(),
    };
  };
  const answer = await (hasJustWritten(ctx) ? make() : responseCache.get(key, make, ctx.url));
  answer.onSend?.(toViewer(ctx.req, ctx.state.ip));
  await sendCachedResponse(ctx, answer);
}

const sortKeys = (query: unknown) => Object.entries(query ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));

/** What is remembered here may be old now; other processes are told by the browser. */
export function noteWrite(ctx: Context, { appContext, responseCache }: RouterContext): void {
  responseCache.clear();
  clearPublicCaches(appContext);
  markWrite(ctx, appContext);
}

/** Gives a route to the router. */
export function bindRoute(router: Router, route: Route, tools: RouterContext): void {
  const { spec, options } = route;
  const isSafe = SAFE.has(spec.method);
  const answer = async (ctx: Context) => {
    ctx.state.route = spec.path;
    if (spec.shared === true || (spec.shared && isSignedOut(ctx))) await answerShared(ctx, route, tools);
    else await answerCall(ctx, route, tools);
  };
  const forgetAfter: Middleware = async (ctx, next) => {
    await next();
    if (!isSafe && !spec.changesNothing) {
      if (ctx.state.actor?.kind === 'user') tools.personalCache.forget(ctx.state.actor.id);
      noteWrite(ctx, tools);
    }
    // the event comes later than the response
    if (spec.access === 'admin' && !isSafe) {
      tools.sessions.forget();
      tools.personalCache.clear();
    } else if (options.session && ctx.state.actor?.kind === 'user') {
      tools.sessions.forget(ctx.state.actor.id);
      tools.personalCache.forget(ctx.state.actor.id);
    }
  };
  const chain = options.session ? [forgetAfter, tools.wrapSession, answer] : isSafe ? [answer] : [forgetAfter, answer];
  router.register(spec.path, [spec.method], chain as never);
}
