import { fetchCard } from './cards.ts';
import { type Exchange, type Handler, json, type Reply, readJson } from './exchange.ts';
import { FAULT_KINDS, type Fault } from './faults.ts';
import type { Persona } from './personas.ts';
import { PERSONAS } from './personas.ts';
import type { LogEntry } from './request-log.ts';
import { freshState, type Quirks, type State } from './state.ts';
import { disconnectApp } from './token.ts';

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
