import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createBrowserRouter, matchRoutes, RouterProvider } from 'react-router-dom';
import { isTestUser } from './api/query.ts';
import { REACT_ERROR_HANDLERS, reportUnhandledErrors } from './api/report-error.ts';
import { App } from './app/app.tsx';
import { passStyleNonce, readInitialState } from './app/startup/initial-state.ts';
import { preload } from './lib/chunks.ts';
import { followTheme } from './lib/theme.ts';
import { routes } from './routes.tsx';
import './styles/app.css';

/** Loads the code of the page at a URL. */
const loadPage = async (url: URL): Promise<void> => {
  const matches = matchRoutes(routes, url.pathname) ?? [];
  await Promise.all(matches.map(({ route }) => (typeof route.lazy === 'function' ? route.lazy() : undefined)));
};

// With hydration data the router leaves the scroll position as it is.
const RENDERED_BY_SERVER = { hydrationData: { loaderData: {} } };

/** The router, with the first page's code loaded: the server's HTML stays on screen until the page can replace it. */
const createRouter = async (isRendered: boolean) => {
  const matches = matchRoutes(routes, location.pathname) ?? [];
  await Promise.all(
    matches.map(async ({ route }) => {
      if (typeof route.lazy === 'function') Object.assign(route, await route.lazy(), { lazy: undefined });
    }),
    // The router tries again and shows its error page.
  ).catch(() => {});
  return createBrowserRouter(routes, isRendered ? RENDERED_BY_SERVER : {});
};

/** Loads a page's code while the pointer or the focus is on a link to it. */
const preloadOnIntent = (): void => {
  const handleIntent = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('a') : null;
    if (link?.origin === location.origin && !link.target) preload(() => loadPage(new URL(link.href)))();
  };
  document.addEventListener('pointerover', handleIntent, { passive: true });
  document.addEventListener('focusin', handleIntent);
};

passStyleNonce();
followTheme();

const initialState = readInitialState();
reportUnhandledErrors();
const root = document.getElementById('root') as HTMLElement;
// The server's HTML is hydrated where the browser would render the same; else it is replaced.
const isRendered = root.childElementCount > 0 && !isTestUser(initialState);
const router = await createRouter(isRendered);
const app = (
  <App initialState={initialState}>
    <RouterProvider router={router} />
  </App>
);

// A transition: React hydrates in slices, between which clicks get through.
if (isRendered && router.state.initialized) startTransition(() => void hydrateRoot(root, app, REACT_ERROR_HANDLERS));
else createRoot(root, REACT_ERROR_HANDLERS).render(app);
preloadOnIntent();
