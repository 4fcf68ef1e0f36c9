import { randomBytes } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { getMe, X_SIGN_IN } from '../../../contract/auth.ts';
import { listFavoriteIds } from '../../../contract/favorites.ts';
import { readFilters } from '../../../contract/filters.ts';
import { speaking } from '../../../contract/i18n.ts';
import type { InitialState } from '../../../contract/initial-state.ts';
import type { Language } from '../../../contract/languages.ts';
import { getUnreadCount } from '../../../contract/messages.ts';
import { getUnreadNotificationCount } from '../../../contract/notifications.ts';
import { TITLES } from '../../../contract/pages.ts';
import type { AppContext } from '../../app-context.ts';
import { limitKey } from '../../endpoints/client-address.ts';
import { AppError } from '../../errors.ts';
import { getViewCounter } from '../../features/ads/view-counter.ts';
import { getSite, type Site } from '../../features/brand/site.ts';
import { readTexts } from '../../lib/catalogs.ts';
import { ANONYMOUS, type AnonymousActor, getSuspensionEnd, type UserActor } from '../../policy.ts';
import type { RouterContext } from '../endpoints/bind.ts';
import { createInternalClient } from '../endpoints/internal-client.ts';
import type { LoadShedder } from '../middleware/load-shedding.ts';
import { DOCUMENT_HEADERS } from '../middleware/security.ts';
import { readLanguage, readLanguageOf, toPageKey } from '../request/language.ts';
import { hasJustWritten, withReads } from '../request/read-your-writes.ts';
import { isSignedOut, toViewer } from '../request/request-info.ts';
import { toAppError } from '../response/app-error.ts';
import { type CachedResponse, sendCachedResponse, toCachedResponse, toMoved } from '../response/cached-response.ts';
import { isCrawlerFile } from '../seo/crawler-files.ts';
import { type BuiltPage, buildPage, isSearch, type PageData } from './pages.ts';
import {
  type RenderContent,
  readSiteConfig,
  renderPage,
  type Template,
  toFixedSiteConfig,
  toInitialState,
  toPagePolicy,
} from './render.ts';

interface Person {
  me: InitialState['me'];
  extra: PageData['data'];
}

const NOBODY: Person = { me: null, extra: [] };
const API_LIKE = /^\/+api(\/|$)/i;
const FILE_LIKE = /\.[a-z0-9]{2,5}$/i;
/** Every URL that looks like a file is rendered at this path: they share one page. */
const NOT_FOUND_PATH = '/not-found';
/** The page that explains a rate limit depends only on the wait. Rendering it for each request would cost too much. */
const RATE_LIMITED_LIFETIME_MS = 60_000;

const isPage = ({ method, path, headers }: Context): boolean => {
  if ((method !== 'GET' && method !== 'HEAD') || API_LIKE.test(path)) return false;
  return !FILE_LIKE.test(path) || (headers.accept?.includes('text/html') === true && !isCrawlerFile(path));
};

/** Whether a browser asks for something to show in a tab: a page, or the redirects of signing in. */
const isDocumentRequest = (ctx: Context): boolean =>
  ctx.headers.accept?.includes('text/html') === true &&
  (isPage(ctx) || ctx.path === X_SIGN_IN.start || ctx.path.startsWith(`${X_SIGN_IN.start}/`));

const toPagePath = ({ path }: Context): string => (FILE_LIKE.test(path) ? NOT_FOUND_PATH : path);

/** Sends an address with a slash at its end, or with the @ of a handle, to the one address of the page. */
function redirectToOneAddress(ctx: Context): boolean {
  let end = ctx.path.length;
  while (ctx.path[end - 1] === '/') end--;
  const path = ctx.path.slice(0, end).replace(/^\/users\/(?:@|%40)/, '/users/');
  if (path === ctx.path || path === '' || path.startsWith('//')) return false;
  ctx.status = 301;
  ctx.redirect(path + ctx.search);
  return true;
}

const toContentUrl = (ctx: Context): string => {
  const filters = String(new URLSearchParams(readFilters(new URLSearchParams(ctx.querystring))));
  const path = toPagePath(ctx);
  return filters && path !== NOT_FOUND_PATH ? `${path}?${filters}` : path;
};

/** The signed-in user of a page that reads no session: with a cookie, the client requests them. */
const getUnreadSession = ({ req }: Context, { config }: AppContext): null | undefined =>
  isSignedOut(req, config) ? null : undefined;

const nameSession = (me: null | undefined): string => (me === null ? 'signed out' : 'perhaps signed in');

export interface PageTools
  extends Pick<RouterContext, 'appContext' | 'routes' | 'sessions' | 'limits' | 'responseCache'> {
  shedder: LoadShedder;
}

/**
 * Serves the pages. Signed-out visitors share a cached rendering; a signed-in user's pages are never cached. Only
 * rendering passes load shedding, so cached pages are sent under any load, and a rejected request also gets a page.
 */
export function servePages(tools: PageTools, template: Template, renderContent: RenderContent): Middleware {
  const { appContext, routes, sessions, limits, responseCache, shedder } = tools;
  const { config } = appContext;

  const toResponse = (
    site: Site,
    page: Pick<BuiltPage, 'id' | 'head'>,
    initialState: InitialState,
    content: string,
    status: number,
    others: Record<string, string> = {},
  ): CachedResponse => {
    const nonce = randomBytes(16).toString('base64url');
    const headers = {
      ...DOCUMENT_HEADERS,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': toPagePolicy(config, template.scriptHashes, nonce),
      // the back button restores the page, all other navigation revalidates it
      'Cache-Control': 'private, no-cache',
      'Content-Language': initialState.env.language,
      Vary: config.locales.length > 1 ? 'Accept-Encoding, Accept-Language, Cookie' : 'Accept-Encoding, Cookie',
      ...others,
    };
    return toCachedResponse(status, headers, renderPage(template, site, { page, initialState, content, nonce }));
  };

  async function readPerson(actor: UserActor, language: Language): Promise<Person> {
    const call = createInternalClient(appContext, routes, actor, language);
    if (getSuspensionEnd(actor, appContext.clock.now()) !== null) return { me: (await call(getMe)).reply, extra: [] };
    const [me, ...extra] = await Promise.all([
      call(getMe),
      call(getUnreadCount),
      call(getUnreadNotificationCount),
      call(listFavoriteIds),
    ]);
    return { me: me.reply, extra };
  }

  const render = (ctx: Context, actor: UserActor | AnonymousActor): Promise<CachedResponse> =>
    withReads(ctx, appContext, (reading) => renderFrom(reading, ctx, actor));

  async function renderFrom(
    appContext: AppContext,
    ctx: Context,
    actor: UserActor | AnonymousActor,
  ): Promise<CachedResponse> {
    const language = readLanguageOf(ctx.req, actor, config);
    const call = createInternalClient(appContext, routes, actor, language);
    const query = new URLSearchParams(ctx.querystring);
    const site = await getSite(appContext).read();
    const texts = readTexts(language);
    const [env, page, person] = await Promise.all([
      readSiteConfig(appContext, site, language),
      buildPage(toPagePath(ctx), { ...site, texts, reads: appContext.reads, actor, call, query }),
      actor.kind === 'user' ? readPerson(actor, language) : NOBODY,
    ]);
    if (page.movedTo) return { ...toMoved(page.movedTo), route: 'page', isForSignedOut: true };
    const initialState = toInitialState(env, person.me, [...page.data, ...person.extra], page.missing);
    const content = page.clientOnly ? '' : await renderContent(toContentUrl(ctx), initialState);
    const { viewed: ad } = page;
    return {
      ...toResponse(site, page, initialState, content, page.status ?? 200),
      route: 'page',
      isForSignedOut: true,
      onSend: (viewer) => {
        if (ad && viewer.method === 'GET')
          getViewCounter(appContext).count(actor, { id: ad.id, user_id: ad.userId }, viewer);
      },
    };
  }

  const toKey = (ctx: Context, url: string): string => toPageKey(readLanguage(ctx.req, config), url, config);

  /** Without a session, a cached page needs no admission. */
  function getPage(ctx: Context): Promise<CachedResponse> {
    const hasNoCookie = isSignedOut(ctx.req, config);
    const mayShare = !hasJustWritten(ctx, config);
    if (hasNoCookie && mayShare) {
      return responseCache.get(toKey(ctx, toContentUrl(ctx)), () => shedder.inTurn(() => render(ctx, ANONYMOUS)));
    }
    return shedder.inTurn(async () => {
      if (ctx.res.destroyed) throw new AppError('client_closed_request');
      const actor = hasNoCookie ? ANONYMOUS : await sessions.readActor(ctx);
      ctx.state.actor = actor;
      if (actor.kind === 'user' || !mayShare) return render(ctx, actor);
      return responseCache.get(toKey(ctx, toContentUrl(ctx)), () => render(ctx, ANONYMOUS));
    });
  }

  /**
   * While the database is unavailable or the server is overloaded, pages are sent without data and the client shows
   * errors.
   */
  async function renderWithoutData(ctx: Context, error: unknown): Promise<CachedResponse> {
    const { status, code, retryAfter = 3 } = toAppError(error);
    if (status !== 503) throw error;
    if (code === 'overloaded') appContext.metrics.requestShed();
    ctx.set('Retry-After', String(retryAfter));
    const site = getSite(appContext).getLast();
    const { siteName: title } = site.config;
    const head = { title, description: title, canonical: '/', noindex: true };
    const me = getUnreadSession(ctx, appContext);
    // no path: requests do not find it. Rendering and compressing one for each would take the time of those who are served
    const key = toKey(ctx, `refused, ${nameSession(me)}`);
    const language = readLanguage(ctx.req, config);
    return responseCache.get(key, async () =>
      toResponse(site, { id: 'home', head }, toInitialState(toFixedSiteConfig(site, language), me, []), '', status),
    );
  }

  /** The page that says that a rate limit was reached, and for how long: in seconds up to a minute, else in minutes. */
  async function renderRateLimited(ctx: Context, { status, retryAfter: seconds = 60 }: AppError) {
    ctx.set('Retry-After', String(Math.max(1, Math.ceil(seconds))));
    const retryAfter = seconds > 60 ? 60 * Math.ceil(seconds / 60) : Math.max(1, Math.ceil(seconds));
    const me = getUnreadSession(ctx, appContext);
    const site = await getSite(appContext).read();
    const key = toKey(ctx, `rate limited for ${retryAfter} s, ${nameSession(me)}, ${site.version}`);
    const language = readLanguage(ctx.req, config);
    const create = async () => {
      const initialState = { ...toInitialState(await readSiteConfig(appContext, site, language), me, []), retryAfter };
      const title = speaking(readTexts(language), () => TITLES.rateLimited);
      const head = { title, description: site.brand.name, canonical: '/', noindex: true };
      const content = await renderContent('/', initialState);
      return toResponse(site, { id: 'home', head }, initialState, content, status, { 'Cache-Control': 'no-store' });
    };
    return responseCache.get(key, create, RATE_LIMITED_LIFETIME_MS);
  }

  const servePage: Middleware = async (ctx, next) => {
    if (!isPage(ctx)) return next();
    if (redirectToOneAddress(ctx)) return;
    const address = limitKey(ANONYMOUS, ctx.state.ip);
    await limits.consume('read', address);
    if (isSearch(toPagePath(ctx), new URLSearchParams(ctx.querystring))) await limits.consume('search', address);
    const response = await getPage(ctx).catch((error: unknown) => renderWithoutData(ctx, error));
    ctx.state.route = 'page';
    response.onSend?.(toViewer(ctx.req, ctx.state.ip));
    await sendCachedResponse(ctx, response);
  };

  return async function serveOrExplain(ctx, next) {
    try {
      await servePage(ctx, next);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'rate_limited' || !isDocumentRequest(ctx)) throw error;
      const response = await renderRateLimited(ctx, error).catch((failure) => renderWithoutData(ctx, failure));
      ctx.state.route ??= 'page';
      await sendCachedResponse(ctx, response);
    }
  };
}
