import { renderToString } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom';
import { speaking, type Texts } from '../../contract/i18n.ts';
import type { InitialState } from '../../contract/initial-state.ts';
import { App } from './app/app.tsx';
import { routes } from './routes.tsx';

const handler = createStaticHandler(routes);

// React emits image preloads before the elements. The head already preloads the important image.
const HINTS = /^(<link rel="preload"[^>]*>)+/;

/**
 * Renders the HTML of #root for a path and query, from the data that the browser hydrates with. The server loads the
 * build of this file. Throws if the page cannot be rendered.
 */
export const renderContent = async (url: string, initialState: InitialState, texts: Texts): Promise<string> => {
  const context = await handler.query(new Request(new URL(url, 'http://localhost')));
  if (context instanceof Response) throw new Error(`${url} redirects`);
  for (const error of Object.values(context.errors ?? {})) throw error;
  const router = createStaticRouter(handler.dataRoutes, context);
  return speaking(texts, () =>
    renderToString(
      <App initialState={initialState}>
        <StaticRouterProvider router={router} context={context} hydrate={false} />
      </App>,
    ),
  ).replace(HINTS, '');
};
