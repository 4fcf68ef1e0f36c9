import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTweet, deleteTweet, showMe, showTweet } from './api.ts';
import { addEntry, controlRoutes, type LogEntry } from './control.ts';
import { pickPersona, showAvatar } from './html.ts';
import {
  applyFault,
  type Exchange,
  type Handler,
  json,
  nextFault,
  type Reply,
  readBody,
  readCookies,
  type Settings,
  unavailable,
} from './http.ts';
import { createAuthorize, issueToken, revokeToken } from './oauth.ts';
import {
  revokeConnectedApp,
  showAccountSettings,
  showComposer,
  showConnectedApps,
  showFollow,
  showPost,
  showProfile,
  showTimeline,
  submitComposer,
} from './pages.ts';
import { loadState, now, type State, saveState } from './state.ts';

export interface XSimulatorOptions {
  port: number;
  /** A loopback address. 127.0.0.1 is cross-site for an app on localhost, as X is for the real site. */
  host?: string;
  clientId: string;
  clientSecret: string;
  redirectUris: readonly string[];
  appName?: string;
  stateFile?: string;
}

export interface XSimulator {
  url: string;
  state: State;
  log: LogEntry[];
  close(): Promise<void>;
}

/** Starts the X simulator. @throws in production, and for any address other than loopback */
export const startXSimulator = async (options: XSimulatorOptions): Promise<XSimulator> => {
  const { port, host = '127.0.0.1', stateFile, clientId, clientSecret, redirectUris, appName = 'Tradepost' } = options;
  if (process.env.NODE_ENV === 'production') throw new Error('The X sandbox does not run in production');
  if (!/^(127\.\d+\.\d+\.\d+|::1|localhost)$/.test(host)) throw new Error('The X sandbox listens on loopback only');

  const state = loadState(stateFile);
  const log: LogEntry[] = [];
  const findRoute = createRouter(log);
  const settings: Settings = { clientId, clientSecret, redirectUris, appName };

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const exchange = await readExchange(request, state, settings);
    const { method, url } = exchange;
    const handle = async (): Promise<Reply> => {
      const found = findRoute(method === 'HEAD' ? 'GET' : method, url.pathname);
      const reply = found
        ? await found.handler({ ...exchange, params: found.params })
        : json(404, { title: 'Not Found', status: 404 });
      if (stateFile && method !== 'GET') saveState(stateFile, state);
      return reply;
    };
    if (url.pathname.startsWith('/__sandbox')) return send(response, await handle());
    const entry = addEntry(log, exchange);
    const fault = nextFault(exchange);
    const reply = fault ? await applyFault(fault, handle, now(state)) : await handle();
    Object.assign(entry, { fault: fault?.kind ?? null, status: reply?.status ?? null });
    if (reply) send(response, reply);
    else request.socket.destroy();
  };

  const server = createServer((request, response) => {
    respond(request, response).catch(() => (response.headersSent ? response.destroy() : send(response, unavailable())));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const { port: actual } = server.address() as AddressInfo;
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`, state, log, close: () => close(server) };
};

const readExchange = async (request: IncomingMessage, state: State, settings: Settings): Promise<Exchange> => ({
  method: request.method ?? 'GET',
  url: new URL(request.url ?? '/', `http://${request.headers.host ?? 'sandbox'}`),
  params: {},
  headers: request.headers,
  cookies: readCookies(request.headers.cookie),
  body: await readBody(request),
  state,
  settings,
});

const send = (response: ServerResponse, reply: Reply): void => {
  response.writeHead(reply.status, {
    'x-transaction-id': randomBytes(8).toString('hex'),
    'api-version': '2.167',
    'x-content-type-options': 'nosniff',
    ...reply.headers,
  });
  response.end(reply.body);
};

const close = (server: ReturnType<typeof createServer>): Promise<void> => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
};

/** The more specific paths must come first. */
const listRoutes = (log: LogEntry[]): [string, string, Handler][] => {
  const authorize = createAuthorize();
  return [
    ...controlRoutes(log),
    ['GET', '/i/oauth2/authorize', authorize.show],
    ['POST', '/i/oauth2/authorize', authorize.decide],
    ['POST', '/i/account', pickPersona],
    ['POST', '/2/oauth2/token', issueToken],
    ['POST', '/2/oauth2/revoke', revokeToken],
    ['GET', '/2/users/me', showMe],
    ['POST', '/2/tweets', createTweet],
    ['GET', '/2/tweets/:id', showTweet],
    ['DELETE', '/2/tweets/:id', deleteTweet],
    ['GET', '/intent/tweet', showComposer],
    ['GET', '/intent/post', showComposer],
    ['POST', '/intent/tweet', submitComposer],
    ['GET', '/intent/follow', showFollow],
    ['GET', '/intent/user', showFollow],
    ['GET', '/settings/account', showAccountSettings],
    ['GET', '/settings/connected_apps', showConnectedApps],
    ['POST', '/settings/connected_apps', revokeConnectedApp],
    ['GET', '/profile_images/:file', showAvatar],
    ['GET', '/', showTimeline],
    ['GET', '/i/web/status/:id', showPost],
    ['GET', '/:username/status/:id', showPost],
    ['GET', '/:username', showProfile],
  ];
};

const createRouter = (log: LogEntry[]) => {
  const routes = listRoutes(log).map(([method, path, handler]) => ({
    method,
    pattern: new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
    handler,
  }));
  return (method: string, path: string): { handler: Handler; params: Record<string, string> } | undefined => {
    for (const route of routes) {
      const match = route.method === method ? route.pattern.exec(path) : null;
      if (match) return { handler: route.handler, params: { ...match.groups } };
    }
  };
};
