import { createBrowserRouter, matchRoutes } from 'react-router-dom';
import { routes } from '../routes.tsx';
import { preload } from './startup/chunks.ts';

/** Loads the code of the page at an address. */
const loadPage = async (url: URL): Promise<void> => {
  const matches = matchRoutes(routes, url.pathname) ?? [];
  await Promise.all(matches.map(({ route }) => (typeof route.lazy === 'function' ? route.lazy() : undefined)));
};

// With hydration data the router leaves the scroll position as it is.
const RENDERED_BY_SERVER = { hydrationData: { loaderData: {} } };

/** The router, with the first page's code loaded: the server's HTML stays on screen until the page can replace it. */
export const createRouter = async (isRendered: boolean) => {
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
export const preloadOnIntent = (): void => {
  const handleIntent = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('a') : null;
    if (link?.origin === location.origin && !link.target) preload(() => loadPage(new URL(link.href)))();
  };
  document.addEventListener('pointerover', handleIntent, { passive: true });
  document.addEventListener('focusin', handleIntent);
};
