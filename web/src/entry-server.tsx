import { renderToString } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom';
import type { InitialState } from '../../contract/initial-state.ts';
import { App } from './app/app.tsx';
import { routes } from './routes.tsx';

const handler = createStaticHandler(routes);

// React asks for pictures ahead of their elements; the head has asked for the one that matters.
const HINTS = /^(<link rel="preload"[^>]*>)+/;

/**
 * The HTML of #root for an address (path and query), as the browser itself begins with these data: built for the server,
 * which loads it as a finished file. Throws where the page cannot be rendered.
 */
export const renderContent = async (address: string, boot: InitialState): Promise<string> => {
  const context = await handler.query(new Request(new URL(address, 'http://localhost')));
  if (context instanceof Response) throw new Error(`${address} leads elsewhere`);
  for (const error of Object.values(context.errors ?? {})) throw error;
  const router = createStaticRouter(handler.dataRoutes, context);
  return renderToString(
    <App boot={boot}>
      <StaticRouterProvider router={router} context={context} hydrate={false} />
    </App>,
  ).replace(HINTS, '');
};
