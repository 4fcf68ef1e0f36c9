import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createBrowserRouter, matchRoutes, RouterProvider } from 'react-router-dom';
import type { InitialState } from '../../contract/initial-state.ts';
import { isTestUser } from './api/query.ts';
import { REACT_ERROR_HANDLERS, reportUnhandledErrors } from './api/report-error.ts';
import { App } from './app/app.tsx';
import { startLanguage } from './lib/catalogs.ts';
import { importWithRetry, preload } from './lib/chunks.ts';
import { leaveKeysToInputMethods } from './lib/composition.ts';
import { listenFirst } from './lib/pop-first.ts';
import { registerWhenLoaded } from './lib/service-worker.ts';
import { DEFAULT_SITE_CONFIG } from './lib/site-config.tsx';
import { followTheme } from './lib/theme.ts';
import { dropTracking } from './lib/tracking.ts';
import { routes } from './routes.tsx';
import './styles/app.css';

/** The initial state in the page. Without a server: defaults, signed out. */
const readInitialState = (): InitialState => {
  const json = document.getElementById('boot')?.textContent;
  return json ? (JSON.parse(json) as InitialState) : { env: DEFAULT_SITE_CONFIG, me: null, data: {} };
};

/** Radix's scroll lock inserts a style element. The CSP requires a nonce, which Radix reads from this global. */
const passStyleNonce = (): void => {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce;
  if (nonce) Object.assign(window, { __webpack_nonce__: nonce });
};

const loadPage = async (path: string): Promise<void> => {
  const matches = matchRoutes(routes, path) ?? [];
  await Promise.all(matches.map(({ route }) => (typeof route.lazy === 'function' ? route.lazy() : undefined)));
};

// With hydration data, the router does not change the scroll position.
const RENDERED_BY_SERVER = { hydrationData: { loaderData: {} } };

/** Creates the router after the code of the first page has loaded. Until then the server's HTML stays on screen. */
const createRouter = async (isRendered: boolean) => {
  const matches = matchRoutes(routes, location.pathname) ?? [];
  await Promise.all(
    matches.map(async ({ route }) => {
      if (typeof route.lazy === 'function') Object.assign(route, await route.lazy(), { lazy: undefined });
    }),
    // The router loads the page again and shows its error page.
  ).catch(() => {});
  return createBrowserRouter(routes, isRendered ? RENDERED_BY_SERVER : {});
};

const preloadOnIntent = (): void => {
  const handleIntent = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('a') : null;
    if (link?.origin === location.origin && !link.target) preload(() => loadPage(link.pathname))();
  };
  document.addEventListener('pointerover', handleIntent);
  document.addEventListener('focusin', handleIntent);
};

passStyleNonce();
leaveKeysToInputMethods();
followTheme();

const initialState = readInitialState();
reportUnhandledErrors();
listenFirst();
dropTracking();
const root = document.getElementById('root') as HTMLElement;
// Hydrate the server's HTML if the browser would render the same; otherwise replace it.
const isRendered = root.childElementCount > 0 && !isTestUser(initialState) && initialState.retryAfter === undefined;
const language = importWithRetry(() => startLanguage(initialState.env.language));
const [router] = await Promise.all([createRouter(isRendered), language]);
const app = (
  <App initialState={initialState}>
    <RouterProvider router={router} />
  </App>
);

// In a transition, React hydrates in slices and handles clicks between them.
if (isRendered && router.state.initialized) startTransition(() => void hydrateRoot(root, app, REACT_ERROR_HANDLERS));
else createRoot(root, REACT_ERROR_HANDLERS).render(app);
preloadOnIntent();
// The page of an ad is what most people open next. Without its code, a tap on a slow line shows nothing for seconds.
registerWhenLoaded(preload(() => loadPage('/ads/0')));
// A reload has closed the overlay of this entry.
if (history.state?.overlay) preload(() => import('./lib/overlay-history.ts').then((m) => m.leaveClosedOverlay()))();
