import type { RouterContext } from '@koa/router';
import { type Fault, problem, REPLIES, type Reply, toInvalidRequest } from './replies.ts';
import type { State } from './state.ts';

export interface Settings {
  clientId: string;
  clientSecret: string;
  redirectUris: readonly string[];
}

export const APP_NAME = 'Tradepost';

/** A request and its response. `state` is the simulator's, `text` is the body of the request. */
export type Exchange = RouterContext<State, { settings: Settings; text: string }>;

/** Returns the body of the response. Throws a Refusal. */
export type Handler = (exchange: Exchange) => unknown;

export const readForm = ({ request, text }: Exchange): URLSearchParams | undefined =>
  request.is('urlencoded') ? new URLSearchParams(text) : undefined;

/** The JSON of the request's body; undefined if it is none. */
export const readJson = ({ text }: Exchange): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export class Refusal extends Error {
  readonly reply: Reply;
  constructor(reply: Reply) {
    super();
    this.reply = reply;
  }
}

export const refuse = (kind: keyof typeof REPLIES): Refusal => new Refusal(REPLIES[kind]);
export const forbid = (detail: string): Refusal => new Refusal(problem(403, 'Forbidden', detail));
export const rejectRequest = (message: string, parameters = {}): Refusal =>
  new Refusal(toInvalidRequest(message, parameters));
export const refuseOauth = (status: number, error: string, description: string): Refusal =>
  new Refusal({ status, body: { error, error_description: description } });

export const consumeFault = ({ state, method, path }: Exchange): Fault | undefined => {
  const fault = state.faults.find(
    (f) => f.times > 0 && (f.method ?? method) === method && (f.path ? f.path === path : path.startsWith('/2/')),
  );
  if (fault) fault.times -= 1;
  return fault;
};

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms).unref());

export const send = (exchange: Exchange, { status, body }: Reply): void => {
  exchange.status = status;
  exchange.remove('content-type');
  exchange.body = body;
};

const drop = (exchange: Exchange): void => {
  exchange.respond = false;
  exchange.req.socket.destroy();
};

export const applyFault = async (exchange: Exchange, fault: Fault, handle: () => Promise<void>): Promise<void> => {
  const { kind, delayMs, resetSeconds } = fault;
  if (kind === 'drop-before') return drop(exchange);
  if (kind === 'slow') await wait(delayMs);
  if (kind in REPLIES) {
    const reply = REPLIES[kind as keyof typeof REPLIES];
    if (reply.status === 429) {
      const reset = Math.ceil((Date.now() + exchange.state.clockOffsetMs) / 1000) + resetSeconds;
      setRateLimit(exchange, 100, 0, reset);
    }
    return send(exchange, reply);
  }
  await handle();
  if (kind === 'drop-after') drop(exchange);
  if (kind === 'slow-after') await wait(delayMs);
  if (kind === 'unavailable-after') send(exchange, REPLIES.unavailable);
  if (kind === 'bad-gateway-after') send(exchange, REPLIES['bad-gateway']);
  if (kind === 'huge') exchange.body = `{"data":"${'x'.repeat(200 * 1024)}"}`;
};

/** `reset` in seconds since 1970. */
export const setRateLimit = (exchange: Exchange, limit: number, remaining: number, reset: number): void =>
  exchange.set({
    'x-rate-limit-limit': String(limit),
    'x-rate-limit-remaining': String(remaining),
    'x-rate-limit-reset': String(reset),
  });
