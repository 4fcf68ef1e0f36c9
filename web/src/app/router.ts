import { createBrowserRouter, matchRoutes } from 'react-router-dom';
import { routes } from '../routes.tsx';
import { preload } from './startup/chunks.ts';

/** Loads the code of the page at an address. */
const loadPage = async (url: URL): Promise<void> => {
  const matches = matchRoutes(routes, url.pathname) ?? [];
  await Promise.all(matches.map(({ route }) => (typeof route.lazy === 'function' ? route.lazy() : undefined)));
};

// To a router that is given data of the server the first page is old: it leaves the scroll where the reader has it.
const DRAWN_BY_SERVER = { hydrationData: { loaderData: {} } };

/**
 * The router, with the first page's code at hand: the server's HTML stays on screen until the page itself can take its
 * place, without an empty moment in between.
 */
export const openRouter = async (isDrawnByServer: boolean) => {
  const matches = matchRoutes(routes, location.pathname) ?? [];
  await Promise.all(
    matches.map(async ({ route }) => {
      if (typeof route.lazy === 'function') Object.assign(route, await route.lazy(), { lazy: undefined });
    }),
    // Code that cannot be had now is asked for once more by the router, whose error page then takes over.
  ).catch(() => {});
  return createBrowserRouter(routes, isDrawnByServer ? DRAWN_BY_SERVER : {});
};

/** Fetches a page's code while the pointer or the focus rests on a link to it. */
export const preloadOnIntent = (): void => {
  const handleIntent = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('a') : null;
    if (link?.origin === location.origin && !link.target) preload(() => loadPage(new URL(link.href)))();
  };
  document.addEventListener('pointerover', handleIntent, { passive: true });
  document.addEventListener('focusin', handleIntent);
};
