import type { RouterContext } from '@koa/router';
import { z } from 'zod';
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

interface Reply {
  status: number;
  body: object | string;
}

export class Refusal extends Error {
  readonly reply: Reply;
  constructor(reply: Reply) {
    super();
    this.reply = reply;
  }
}

const problem = (status: number, title: string, detail = title, more: object = {}): Reply => ({
  status,
  body: { title, detail, type: 'about:blank', status, ...more },
});

const toInvalidRequest = (message: string, parameters: object): Reply => ({
  status: 400,
  body: {
    errors: [{ message, parameters }],
    title: 'Invalid Request',
    detail: 'One or more parameters to your request was invalid.',
    type: 'https://api.x.com/2/problems/invalid-request',
  },
});

const FORBIDDEN = 'You are not permitted to perform this action.';
const LOCKED = 'To protect our users from spam and other malicious activity, this account is temporarily locked.';

/** Errors of X. Each one is also a fault. */
const REPLIES = {
  'server-error': problem(500, 'Internal Server Error', 'Something is broken.'),
  unavailable: problem(503, 'Service Unavailable'),
  'bad-gateway': {
    status: 502,
    body: '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>',
  },
  unauthorized: problem(401, 'Unauthorized'),
  'credits-depleted': problem(402, 'Payment Required', 'credits depleted', {
    type: 'https://api.x.com/2/problems/credits-depleted',
  }),
  forbidden: problem(403, 'Forbidden', FORBIDDEN),
  duplicate: problem(403, 'Forbidden', 'You are not allowed to create a Tweet with duplicate content.'),
  'client-forbidden': problem(
    403,
    'Client Forbidden',
    'When authenticating requests to the X API v2 endpoints, use a Project’s keys.',
    { reason: 'client-not-enrolled', type: 'https://api.twitter.com/2/problems/client-forbidden' },
  ),
  'user-suspended': problem(403, 'Forbidden', 'The user used for authentication is suspended.', {
    type: 'https://api.twitter.com/2/problems/user-suspended',
  }),
  locked: problem(403, 'Forbidden', LOCKED, { errors: [{ code: 326, message: LOCKED }] }),
  'rate-limited': problem(429, 'Too Many Requests'),
  'rate-limited-old-style': { status: 429, body: { errors: [{ code: 88, message: 'Rate limit exceeded' }] } },
  'invalid-request': toInvalidRequest('Rejected by a fault switch.', {}),
} satisfies Record<string, Reply>;

export const refuse = (kind: keyof typeof REPLIES): Refusal => new Refusal(REPLIES[kind]);
export const forbid = (detail: string): Refusal => new Refusal(problem(403, 'Forbidden', detail));
export const rejectRequest = (message: string, parameters = {}): Refusal =>
  new Refusal(toInvalidRequest(message, parameters));
export const refuseOauth = (status: number, error: string, description: string): Refusal =>
  new Refusal({ status, body: { error, error_description: description } });

/** The other faults. The `-after` kinds do the work first and then drop or replace the response. */
const OTHER_FAULTS = [
  'slow',
  'slow-after',
  'drop-before',
  'drop-after',
  'unavailable-after',
  'bad-gateway-after',
  'huge',
] as const;

export const Fault = z.object({
  kind: z.enum([...(Object.keys(REPLIES) as (keyof typeof REPLIES)[]), ...OTHER_FAULTS]),
  method: z.string().optional(),
  /** Exact path. Undefined matches every API call. */
  path: z.string().optional(),
  times: z.int().default(1),
  delayMs: z.number().default(30_000),
  /** Seconds until `x-rate-limit-reset`, for the 429 kinds. */
  resetSeconds: z.number().default(60),
});
export type Fault = z.infer<typeof Fault>;

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
