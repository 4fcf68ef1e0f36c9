import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Router from '@koa/router';
import Koa from 'koa';
import { z } from 'zod';
import { createTweet, deleteTweet, showMe, showTweet } from './api.ts';
import { pickPersona, showAvatar } from './html.ts';
import {
  applyFault,
  consumeFault,
  type Exchange,
  type Handler,
  Refusal,
  readForm,
  readJson,
  refuse,
  send,
} from './http.ts';
import { createAuthorize, disconnectApp, issueToken, revokeToken } from './oauth.ts';
import {
  revokeConnectedApp,
  showComposer,
  showConnectedApps,
  showPost,
  showProfile,
  showTimeline,
  submitComposer,
} from './pages.ts';
import { Fault } from './replies.ts';
import { freshState, loadState, Persona, type State, saveState } from './state.ts';

export interface XSimulatorOptions {
  port: number;
  /** A loopback address. 127.0.0.1 is cross-site for an app on localhost, as X is for the real site. */
  host?: string;
  /** Listens on every interface, inside a container whose port is published on loopback only. */
  isContained?: boolean;
  clientId: string;
  clientSecret: string;
  redirectUris: readonly string[];
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
  const { port, host = '127.0.0.1', isContained = false, stateFile } = options;
  if (process.env.NODE_ENV === 'production') throw new Error('The X sandbox does not run in production');
  if (!/^(127\.\d+\.\d+\.\d+|::1|localhost)$/.test(host)) throw new Error('The X sandbox listens on loopback only');

  const state = loadState(stateFile);
  const log: LogEntry[] = [];
  const app = new Koa<State, Exchange>();
  app.silent = true;
  app.use(async (exchange, next) => {
    Object.assign(exchange, { state, settings: options, text: await text(exchange.req) });
    exchange.set({
      'x-transaction-id': randomBytes(8).toString('hex'),
      'api-version': '2.167',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    const handle = async () => {
      await next().catch((error) => send(exchange, (error instanceof Refusal ? error : refuse('unavailable')).reply));
      if (stateFile && exchange.method !== 'GET') saveState(stateFile, state);
    };
    if (exchange.path.startsWith('/__sandbox')) return handle();
    const entry = addEntry(log, exchange);
    const fault = consumeFault(exchange);
    await (fault ? applyFault(exchange, fault, handle) : handle());
    Object.assign(entry, { fault: fault?.kind ?? null, status: exchange.respond === false ? null : exchange.status });
  });
  app.use(createRoutes(log));
  app.use((exchange) => send(exchange, { status: 404, body: { title: 'Not Found', status: 404 } }));

  const server = app.listen(port, isContained ? '0.0.0.0' : host);
  await once(server, 'listening');
  const { port: actual } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await server[Symbol.asyncDispose]();
  };
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`, state, log, close };
};

type AddRoute = (method: 'get' | 'post' | 'patch' | 'delete', path: string, handler: Handler) => void;

/** The more specific paths come first. */
const createRoutes = (log: LogEntry[]): Koa.Middleware<State, Exchange> => {
  const router = new Router<State, Exchange>();
  const on: AddRoute = (method, path, handler) => {
    router[method](path, async (exchange) => {
      const body = await handler(exchange);
      if (body !== undefined) exchange.body = body;
    });
  };
  addControls(on, log);
  const authorize = createAuthorize();
  on('get', '/i/oauth2/authorize', authorize.show);
  on('post', '/i/oauth2/authorize', authorize.decide);
  on('post', '/i/account', pickPersona);
  on('post', '/2/oauth2/token', issueToken);
  on('post', '/2/oauth2/revoke', revokeToken);
  on('get', '/2/users/me', showMe);
  on('post', '/2/tweets', createTweet);
  on('get', '/2/tweets/:id', showTweet);
  on('delete', '/2/tweets/:id', deleteTweet);
  on('get', '/intent/tweet', showComposer);
  on('post', '/intent/tweet', submitComposer);
  on('get', '/settings/connected_apps', showConnectedApps);
  on('post', '/settings/connected_apps', revokeConnectedApp);
  on('get', '/profile_images/:file', showAvatar);
  on('get', '/', showTimeline);
  on('get', '/i/web/status/:id', showPost);
  on('get', '/:username/status/:id', showPost);
  on('get', '/:username', showProfile);
  // without the cast, the order of files decides whether the compiler accepts the router's type
  return router.routes() as Koa.Middleware;
};

/** Controls for tests and for trying failures. Each one returns the state, without codes and tokens. */
const addControls = (on: AddRoute, log: LogEntry[]): void => {
  const addControl = <S extends z.ZodType>(
    method: Parameters<AddRoute>[0],
    path: string,
    schema: S,
    work: (state: State, input: z.infer<S>, exchange: Exchange) => void,
  ): void =>
    on(method, `/__sandbox${path}`, (exchange) => {
      const { state } = exchange;
      const input = schema.safeParse(readJson(exchange) ?? {});
      if (!input.success) throw new Refusal({ status: 400, body: { message: z.prettifyError(input.error) } });
      work(state, input.data, exchange);
      const { codes, tokens, windows, ...shown } = state;
      return shown;
    });
  const noInput = z.unknown();
  const findPersona = ({ personas }: State, who: string | undefined): Persona => {
    const found = personas.find((p) => p.id === who || p.username === who);
    if (!found) throw new Refusal({ status: 404, body: { message: 'no such persona' } });
    return found;
  };
  addControl('get', '', noInput, () => {});
  addControl('post', '/reset', noInput, (state) => Object.assign(state, freshState()));
  addControl('post', '/faults', Fault, ({ faults }, fault) => faults.push(fault));
  addControl('delete', '/faults', noInput, ({ faults }) => faults.splice(0));
  addControl('post', '/clock', z.object({ advanceSeconds: z.number() }), (state, { advanceSeconds }) => {
    state.clockOffsetMs += advanceSeconds * 1000;
  });
  addControl('post', '/limits', z.record(z.string(), z.number()), (state, limits) =>
    Object.assign(state, { limits, windows: {} }),
  );
  addControl('post', '/credits', z.object({ dollars: z.number().nullable() }), (state, { dollars }) => {
    state.credits = dollars;
  });
  addControl('post', '/auto-approve', z.object({ persona: z.string().nullable() }), (state, { persona }) => {
    state.autoApprove = persona && findPersona(state, persona).id;
  });
  const NewPersona = z
    .looseObject({ username: z.string() })
    .transform((input) => ({ name: input.username, ...input }))
    .pipe(Persona);
  addControl('post', '/personas', NewPersona, ({ personas }, persona, exchange) => {
    personas.push(persona);
    exchange.status = 201;
  });
  addControl('patch', '/personas/:id', z.looseObject({}), (state, changes, { params }) => {
    const persona = findPersona(state, params.id);
    Object.assign(persona, Persona.parse({ ...persona, ...changes }));
  });
  addControl('post', '/personas/:id/revoke', noInput, (state, _input, { params }) =>
    disconnectApp(state, findPersona(state, params.id).id),
  );
  on('get', '/__sandbox/log', () => log);
  on('delete', '/__sandbox/log', () => log.splice(0));
};

const MAX_ENTRIES = 500;
const SECRET = /^(code|state|token|access_token|refresh_token|client_secret|code_verifier|code_challenge|consent)$/;

export interface LogEntry {
  at: string;
  method: string;
  path: string;
  query: Record<string, unknown>;
  body: Record<string, unknown> | null;
  authorization: string | null;
  userAgent: string | null;
  status: number | null;
  fault: string | null;
}

function addEntry(log: LogEntry[], exchange: Exchange): LogEntry {
  const { method, path, query, headers } = exchange;
  const form = readForm(exchange);
  const json = readJson(exchange);
  const body = form ? Object.fromEntries(form) : json && typeof json === 'object' ? json : null;
  const entry: LogEntry = {
    at: new Date().toISOString(),
    method,
    path,
    query: mask(query),
    body: body && mask(body),
    authorization: headers.authorization?.replace(/ .+$/, ' ***') ?? null,
    userAgent: headers['user-agent'] ?? null,
    status: null,
    fault: null,
  };
  log.push(entry);
  if (log.length > MAX_ENTRIES) log.shift();
  return entry;
}

const mask = (values: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, SECRET.test(key) ? '***' : value]));
