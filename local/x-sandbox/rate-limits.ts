import type { Exchange, Reply } from './exchange.ts';
import { creditsDepleted, rateLimited } from './problems.ts';
import { now } from './state.ts';

const WINDOW_MS = 15 * 60_000;
const DAY_MS = 24 * 3600_000;

/** Calls per user and 15 minutes, and per app and day, as X documents them (August 2026). */
export const X_LIMITS: Readonly<Record<string, number>> = {
  'GET /2/users/me': 75,
  'POST /2/tweets': 100,
  'DELETE /2/tweets/:id': 50,
  'GET /2/tweets/:id': 900,
  'app POST /2/tweets': 10_000,
};

const count = ({ state }: Exchange, key: string, span: number) => {
  const at = now(state);
  const [end = 0, calls = 0] = state.windows[key] ?? [];
  const window: [number, number] = end > at ? [end, calls + 1] : [at + span, 1];
  state.windows[key] = window;
  return window;
};

/** Counts the call; answers 429 beyond the limit and puts X's headers on every answer. */
export const limited = async (
  exchange: Exchange,
  name: string,
  userId: string,
  run: () => Reply | Promise<Reply>,
): Promise<Reply> => {
  const allowed = (key: string) => exchange.state.limits[key] ?? X_LIMITS[key] ?? Number.POSITIVE_INFINITY;
  const [end, calls] = count(exchange, `${name} ${userId}`, WINDOW_MS);
  const [dayEnd, dayCalls] = count(exchange, `app ${name}`, DAY_MS);
  const overDay = dayCalls > allowed(`app ${name}`);
  const reply = calls > allowed(name) || overDay ? rateLimited() : await run();
  const limit = allowed(name);
  reply.headers['x-rate-limit-limit'] = String(limit);
  reply.headers['x-rate-limit-remaining'] = String(overDay ? 0 : Math.max(0, limit - calls));
  reply.headers['x-rate-limit-reset'] = String(Math.ceil((overDay ? dayEnd : end) / 1000));
  return reply;
};

/** Takes the price (US dollars) from the operator's credits, or says 402. */
export const charge = ({ state }: Exchange, dollars: number): Reply | undefined => {
  if (state.credits !== null && state.credits < dollars) return creditsDepleted();
  if (state.credits !== null) state.credits -= dollars;
  state.spend += dollars;
  return undefined;
};
