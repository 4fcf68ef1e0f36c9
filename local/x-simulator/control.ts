import { fetchCard } from './cards.ts';
import { type Exchange, FAULT_KINDS, type Handler, json, type Reply, readJson } from './http.ts';
import { disconnectApp } from './oauth.ts';
import { type Fault, freshState, PERSONAS, type Persona, type Quirks, type State } from './state.ts';

const MAX_ENTRIES = 500;
const SECRET = /^(code|state|token|access_token|refresh_token|client_secret|code_verifier|code_challenge|consent)$/;

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

export function addEntry(log: LogEntry[], { method, url, headers, body }: Exchange): LogEntry {
  const entry: LogEntry = {
    at: new Date().toISOString(),
    method,
    path: url.pathname,
    query: mask(Object.fromEntries(url.searchParams)) as Record<string, string>,
    body: readAny(body, headers['content-type'] ?? ''),
    authorization: headers.authorization?.replace(/ .+$/, ' ***') ?? null,
    userAgent: headers['user-agent'] ?? null,
    status: null,
    fault: null,
  };
  log.push(entry);
  if (log.length > MAX_ENTRIES) log.shift();
  return entry;
}

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
