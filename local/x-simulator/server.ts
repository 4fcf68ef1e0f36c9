import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTweet, deleteTweet, showMe, showTweet } from './api.ts';
import { fetchCard } from './cards.ts';
import { applyFault, FAULT_KINDS, type Fault, nextFault } from './faults.ts';
import {
  type Exchange,
  type Handler,
  json,
  type Reply,
  readBody,
  readCookies,
  readJson,
  type Settings,
  unavailable,
} from './http.ts';
import { createAuthorize, disconnectApp, issueToken, revokeToken } from './oauth.ts';
import {
  pickPersona,
  revokeConnectedApp,
  showAccountSettings,
  showAvatar,
  showComposer,
  showConnectedApps,
  showFollow,
  showPost,
  showProfile,
  showTimeline,
  submitComposer,
} from './pages.ts';
import { freshState, loadState, now, PERSONAS, type Persona, type Quirks, type State, saveState } from './state.ts';

export interface XSimulatorOptions {
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

export interface XSimulator {
  url: string;
  /** Live: tests may read and change it directly. */
  state: State;
  log: LogEntry[];
  close(): Promise<void>;
}

/** Starts the stand-in for X. @throws in production, and for any address but loopback's */
export const startXSimulator = async (options: XSimulatorOptions): Promise<XSimulator> => {
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
    const fault = isControl ? undefined : nextFault(exchange);
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
    const reply = fault ? await applyFault(fault, carryOut, now(state)) : await carryOut();
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

/** Everything the sandbox answers, the more particular paths first. */
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

export type FindRoute = (method: string, path: string) => { handler: Handler; params: Record<string, string> } | null;

export const createRouter = (log: LogEntry[]): FindRoute => {
  const routes = listRoutes(log).map(([method, path, handler]) => ({
    method,
    pattern: new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
    handler,
  }));
  return (method, path) => {
    for (const route of routes) {
      const match = route.method === method ? route.pattern.exec(path) : null;
      if (match) return { handler: route.handler, params: { ...match.groups } };
    }
    return null;
  };
};

const KEPT = 500;
const SECRET = /^(code|state|token|access_token|refresh_token|client_secret|code_verifier|code_challenge|consent)$/;

/** One request as the log shows it: secrets are gone before it is stored. */
export interface LogEntry {
  at: string;
  method: string;
  path: string;
  query: Record<string, string>;
  body: Record<string, unknown> | null;
  authorization: string | null;
  userAgent: string | null;
  status: number | null;
  fault: string | null;
}

export const describeRequest = ({ method, url, headers, body }: Exchange): LogEntry => ({
  at: new Date().toISOString(),
  method,
  path: url.pathname,
  query: mask(Object.fromEntries(url.searchParams)) as Record<string, string>,
  body: readAny(body, headers['content-type'] ?? ''),
  authorization: headers.authorization?.replace(/ .+$/, ' ***') ?? null,
  userAgent: headers['user-agent'] ?? null,
  status: null,
  fault: null,
});

export const remember = (log: LogEntry[], entry: LogEntry): void => {
  log.push(entry);
  if (log.length > KEPT) log.shift();
};

const mask = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, SECRET.test(key) ? '***' : value]));

const readAny = (body: string, type: string): Record<string, unknown> | null => {
  if (type.startsWith('application/x-www-form-urlencoded')) return mask(Object.fromEntries(new URLSearchParams(body)));
  try {
    const value: unknown = JSON.parse(body);
    return value && typeof value === 'object' ? mask(value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
};

const bad = (message: string): Reply => json(400, { message });
const overview = ({ state }: Exchange): Reply => {
  const { clockOffsetMs, credits, spend, limits, faults, autoApprove, quirks, posts, personas } = state;
  return json(200, { clockOffsetMs, credits, spend, limits, faults, autoApprove, quirks, posts, personas });
};

const findPersona = (state: State, who: unknown): Persona | undefined =>
  state.personas.find((p) => p.id === who || p.username === who);

const reset = (exchange: Exchange): Reply => {
  Object.assign(exchange.state, freshState());
  return overview(exchange);
};

const setFault = (exchange: Exchange): Reply => {
  const input = readJson(exchange) as (Partial<Fault> & Pick<Fault, 'kind'>) | undefined;
  if (!input || !FAULT_KINDS.includes(input.kind)) return bad(`kind is one of ${FAULT_KINDS.join(', ')}`);
  exchange.state.faults.push({ times: 1, delayMs: 30_000, resetSeconds: 60, ...input });
  return overview(exchange);
};

const clearFaults = (exchange: Exchange): Reply => {
  exchange.state.faults = [];
  return overview(exchange);
};

/** `{advanceSeconds}` moves the clock, `{offsetSeconds}` sets it. */
const setClock = (exchange: Exchange): Reply => {
  const { advanceSeconds = 0, offsetSeconds } = (readJson(exchange) ?? {}) as Record<string, number | undefined>;
  const base = offsetSeconds === undefined ? exchange.state.clockOffsetMs : offsetSeconds * 1000;
  exchange.state.clockOffsetMs = base + (advanceSeconds ?? 0) * 1000;
  return overview(exchange);
};

const setLimits = (exchange: Exchange): Reply => {
  exchange.state.limits = (readJson(exchange) ?? {}) as Record<string, number>;
  exchange.state.windows = {};
  return overview(exchange);
};

const setCredits = (exchange: Exchange): Reply => {
  const dollars = readJson(exchange)?.dollars;
  if (dollars !== null && typeof dollars !== 'number') return bad('dollars is a number, or null for no end');
  exchange.state.credits = dollars;
  return overview(exchange);
};

const setQuirks = (exchange: Exchange): Reply => {
  Object.assign(exchange.state.quirks, readJson(exchange) as Partial<Quirks>);
  return overview(exchange);
};

const setAutoApprove = (exchange: Exchange): Reply => {
  const who = readJson(exchange)?.persona ?? null;
  const persona = findPersona(exchange.state, who);
  if (who !== null && !persona) return bad('no such persona');
  exchange.state.autoApprove = persona?.id ?? null;
  return overview(exchange);
};

const changePersona = (exchange: Exchange): Reply => {
  const persona = findPersona(exchange.state, exchange.params.id);
  if (!persona) return json(404, { message: 'no such persona' });
  Object.assign(persona, readJson(exchange));
  return json(200, persona);
};

const addPersona = (exchange: Exchange): Reply => {
  const input = readJson(exchange) as Partial<Persona> | undefined;
  if (!/^\d+$/.test(input?.id ?? '') || !input?.username) return bad('id (digits) and username are required');
  const plain = { ...PERSONAS[1], name: input.username, bio: '', withholds: [] } as Persona;
  exchange.state.personas.push({ ...plain, ...input });
  return json(201, input);
};

const revokeFor = (exchange: Exchange): Reply => {
  const persona = findPersona(exchange.state, exchange.params.id);
  if (persona) disconnectApp(exchange.state, persona.id);
  return json(persona ? 200 : 404, { revoked: persona !== undefined });
};

/** `/__sandbox/*`: what tests and developers turn. No fault, limit or price applies to these. */
export const controlRoutes = (log: LogEntry[]): [string, string, Handler][] => [
  ['GET', '/__sandbox', overview],
  ['POST', '/__sandbox/reset', reset],
  ['POST', '/__sandbox/faults', setFault],
  ['DELETE', '/__sandbox/faults', clearFaults],
  ['POST', '/__sandbox/clock', setClock],
  ['POST', '/__sandbox/limits', setLimits],
  ['POST', '/__sandbox/credits', setCredits],
  ['POST', '/__sandbox/quirks', setQuirks],
  ['POST', '/__sandbox/auto-approve', setAutoApprove],
  ['POST', '/__sandbox/personas', addPersona],
  ['PATCH', '/__sandbox/personas/:id', changePersona],
  ['POST', '/__sandbox/personas/:id/revoke', revokeFor],
  ['GET', '/__sandbox/card', async ({ url }) => json(200, await fetchCard(url.searchParams.get('url') ?? ''))],
  ['GET', '/__sandbox/log', () => json(200, log)],
  [
    'DELETE',
    '/__sandbox/log',
    () => {
      log.length = 0;
      return json(200, log);
    },
  ],
];
