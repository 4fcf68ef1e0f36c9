import { randomBytes } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { getMe } from '../../../contract/auth.ts';
import type { InitialState } from '../../../contract/boot.ts';
import { listFavoriteIds } from '../../../contract/favorites.ts';
import { getUnreadCount } from '../../../contract/messages.ts';
import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../errors.ts';
import { type Actor, ANONYMOUS, type UserActor } from '../../policy.ts';
import type { RouterContext } from '../endpoints/bind.ts';
import { routes } from '../endpoints/routes.ts';
import { toAppError } from '../middleware/error-handler.ts';
import type { LoadShedder } from '../middleware/load-shedding.ts';
import { limitKey } from '../middleware/rate-limit.ts';
import { DOCUMENT_HEADERS } from '../middleware/security-headers.ts';
import { toInternalRequestInfo, toRequestInfo } from '../request-info.ts';
import { createResponseCache } from '../response-cache/microcache.ts';
import { type CachedResponse, sendCachedResponse, toCachedResponse } from '../response-cache/prepared-answer.ts';
import { hasJustWritten, withReads } from '../response-cache/read-your-writes.ts';
import { COOKIE } from '../session/cookie.ts';
import { pagePolicy } from './csp.ts';
import { createInternalClient } from './internal-client.ts';
import { keepFilters } from './list-pages.ts';
import type { PageData } from './page-data.ts';
import type { RenderContent } from './page-renderer.ts';
import { buildPage } from './pages.ts';
import { renderPage, toInitialState } from './render.ts';
import { readSiteConfig, toFixedSiteConfig } from './site-config.ts';
import type { Template } from './template.ts';

type Rendering = CachedResponse & { viewed?: PageData['viewed'] };
interface Person {
  me: InitialState['me'];
  /** Replies beyond the page's own: what the navbar of a signed-in person needs. */
  extra: PageData['data'];
}

const NOBODY: Person = { me: null, extra: [] };
// other spellings of the API are no pages
const API_LIKE = /^\/+api(\/|$)/i;
const FILE_LIKE = /\.[a-z0-9]{2,5}$/i;

const isPage = ({ method, path }: Context): boolean =>
  (method === 'GET' || method === 'HEAD') && !API_LIKE.test(path) && !FILE_LIKE.test(path);

/** Each page has one address. True when it answered. */
function redirectWithoutSlash(ctx: Context): boolean {
  const path = ctx.path.replace(/\/+$/, '');
  if (path === ctx.path || path === '' || path.startsWith('//')) return false;
  ctx.status = 301;
  ctx.redirect(path + ctx.search);
  return true;
}

const addressOf = (ctx: Context): string => `${ctx.path}?${keepFilters(new URLSearchParams(ctx.querystring))}`;

export interface PageTools extends Pick<RouterContext, 'appContext' | 'sessions' | 'limits'> {
  shedder: LoadShedder;
}

/**
 * Pages by address: anonymous visitors share one rendering a second, kept compressed; a person's own is never stored. Only
 * the making waits for its turn, so what is in memory is answered under any load, and who is refused gets a page, too.
 */
export function servePages(tools: PageTools, template: Template, renderContent: RenderContent): Middleware {
  const { appContext, sessions, limits, shedder } = tools;
  const { config } = appContext;
  const shared = createResponseCache();

  const toAnswer = (
    model: PageData,
    boot: InitialState,
    content: string,
    status: number = model.status ?? 200,
  ): CachedResponse => {
    const nonce = randomBytes(16).toString('base64url');
    const headers = {
      ...DOCUMENT_HEADERS,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': pagePolicy(config, template.scriptHashes, nonce),
      // kept by the back button, asked for again by everything else
      'Cache-Control': 'private, no-cache',
      Vary: 'Accept-Encoding, Cookie',
    };
    return toCachedResponse(status, headers, renderPage(template, config, { model, boot, content, nonce }));
  };

  async function readPerson(ctx: Context, actor: UserActor): Promise<Person> {
    const call = createInternalClient(appContext, routes, actor, toInternalRequestInfo(ctx));
    const [me, ...extra] = await Promise.all([call(getMe), call(getUnreadCount), call(listFavoriteIds)]);
    return { me: me.reply, extra };
  }

  const render = (ctx: Context, actor: Actor): Promise<Rendering> =>
    withReads(ctx, appContext, (reading) => renderFrom(reading, ctx, actor));

  async function renderFrom(appContext: AppContext, ctx: Context, actor: Actor): Promise<Rendering> {
    const call = createInternalClient(appContext, routes, actor, toInternalRequestInfo(ctx));
    const query = new URLSearchParams(ctx.querystring);
    const started = performance.now();
    const [env, model, person] = await Promise.all([
      readSiteConfig(appContext),
      buildPage(ctx.path, { config, actor, call, query }),
      actor.kind === 'user' ? readPerson(ctx, actor) : NOBODY,
    ]);
    const boot = toInitialState(env, person.me, [...model.data, ...person.extra], model.missing);
    // The address by which the rendering is shared, so that nothing else of anybody's address gets into it.
    const content = model.isDrawnInBrowser ? '' : await renderContent(addressOf(ctx), boot);
    // as old as the oldest of its data: those of a list come from memory
    const asOf = Math.min(started, ...model.data.map((reply) => reply?.asOf ?? started));
    return { ...toAnswer(model, boot, content), asOf, viewed: model.viewed };
  }

  /** Who brings no session needs no turn for what is in memory; another's session is read first. */
  function answerPage(ctx: Context): Promise<Rendering> {
    const isNobody = ctx.cookies.get(COOKIE, { signed: false }) === undefined;
    const mayShare = !hasJustWritten(ctx);
    if (isNobody && mayShare) {
      return shared.get(addressOf(ctx), () => shedder.inTurn(() => render(ctx, ANONYMOUS)));
    }
    return shedder.inTurn(async () => {
      if (ctx.res.destroyed) throw new AppError('client_closed_request');
      const actor = isNobody ? ANONYMOUS : await sessions.readActor(ctx);
      ctx.state.actor = actor;
      if (actor.kind === 'user' || !mayShare) return render(ctx, actor);
      return shared.get(addressOf(ctx), () => render(ctx, ANONYMOUS));
    });
  }

  /** While the database is away, or there is too much to do, the site still opens, and says so where data should be. */
  async function renderWithoutData(ctx: Context, error: unknown): Promise<Rendering> {
    const { status, code, retryAfter = 3 } = toAppError(error);
    if (status !== 503) throw error;
    if (code === 'overloaded') appContext.metrics.requestShed();
    ctx.set('Retry-After', String(retryAfter));
    const head = { title: config.siteName, description: config.siteName, canonical: '/', noindex: true };
    return toAnswer(
      { page: 'home', head, data: [] },
      toInitialState(toFixedSiteConfig(appContext), null, []),
      '',
      status,
    );
  }

  return async function servePage(ctx, next) {
    if (!isPage(ctx)) return next();
    if (redirectWithoutSlash(ctx)) return;
    await limits.consume('read', limitKey(ANONYMOUS, ctx.state.ip));
    const answer = await answerPage(ctx).catch((error: unknown) => renderWithoutData(ctx, error));
    ctx.state.route = 'page';
    if (answer.viewed && ctx.method === 'GET' && answer.status === 200) countView(ctx, answer.viewed);
    await sendCachedResponse(ctx, answer);
  };

  function countView(ctx: Context, { id, userId }: NonNullable<PageData['viewed']>): void {
    appContext.views.count(ctx.state.actor ?? ANONYMOUS, { id, user_id: userId }, toRequestInfo(ctx));
  }
}
