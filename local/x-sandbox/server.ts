import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Exchange, json, type Reply, readBody, readCookies, type Settings } from './exchange.ts';
import { spoil, takeFault } from './faults.ts';
import { unavailable } from './problems.ts';
import { describeRequest, type LogEntry, remember } from './request-log.ts';
import { createRouter } from './routes.ts';
import { loadState, now, type State, saveState } from './state.ts';

export interface XSandboxOptions {
  /** 0 picks a free one. */
  port: number;
  /** Loopback only; 127.0.0.1 while the app is on localhost, so that the two are as cross-site as X and we are. */
  host?: string;
  clientId: string;
  clientSecret: string;
  redirectUris: readonly string[];
  appName?: string;
  /** Keeps accounts, tokens and posts across restarts. */
  stateFile?: string;
}

export interface XSandbox {
  url: string;
  /** Live: tests may read and change it directly. */
  state: State;
  log: LogEntry[];
  close(): Promise<void>;
}

/** Starts the stand-in for X. @throws in production, and for any address but loopback's */
export const startXSandbox = async (options: XSandboxOptions): Promise<XSandbox> => {
  const { port, host = '127.0.0.1', stateFile, clientId, clientSecret, redirectUris, appName = 'Tradepost' } = options;
  if (process.env.NODE_ENV === 'production') throw new Error('The X sandbox does not run in production');
  if (!/^(127\.\d+\.\d+\.\d+|::1|localhost)$/.test(host)) throw new Error('The X sandbox listens on loopback only');

  const state = loadState(stateFile);
  const log: LogEntry[] = [];
  const findRoute = createRouter(log);
  const settings: Settings = { clientId, clientSecret, redirectUris, appName };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const exchange = await readExchange(request, state, settings);
    const entry = describeRequest(exchange);
    const isControl = exchange.url.pathname.startsWith('/__sandbox');
    const fault = isControl ? undefined : takeFault(exchange);
    if (!isControl) remember(log, entry);
    const carryOut = async () => {
      const reply = await route(exchange);
      if (stateFile && exchange.method !== 'GET') saveState(stateFile, state);
      return reply;
    };
    const route = async (ex: Exchange): Promise<Reply> => {
      const found = findRoute(ex.method === 'HEAD' ? 'GET' : ex.method, ex.url.pathname);
      return found ? found.handler({ ...ex, params: found.params }) : json(404, { title: 'Not Found', status: 404 });
    };
    const reply = fault ? await spoil(fault, carryOut, now(state)) : await carryOut();
    Object.assign(entry, { fault: fault?.kind ?? null, status: reply?.status ?? null });
    if (reply) send(response, reply);
    else request.socket.destroy();
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => (response.headersSent ? response.destroy() : send(response, unavailable())));
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
