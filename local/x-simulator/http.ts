import type { IncomingMessage } from 'node:http';
import type { Fault, State } from './state.ts';

export interface Settings {
  clientId: string;
  clientSecret: string;
  redirectUris: readonly string[];
  appName: string;
}

export interface Exchange {
  method: string;
  url: URL;
  params: Record<string, string>;
  headers: IncomingMessage['headers'];
  cookies: Record<string, string>;
  body: string;
  state: State;
  settings: Settings;
}

/** Handlers return data, so that a fault can drop or replace the response after the work is done. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

export type Handler = (exchange: Exchange) => Reply | Promise<Reply>;

export const json = (status: number, value: unknown, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify(value),
});

export const redirect = (to: string, headers: Record<string, string> = {}): Reply => ({
  status: 302,
  headers: { location: to, 'cache-control': 'no-store', ...headers },
  body: '',
});

const MAX_BODY = 256 * 1024;

export const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) throw new Error('body too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

export const readCookies = (header = ''): Record<string, string> =>
  Object.fromEntries(header.split(/;\s*/).map((pair) => [pair.split('=')[0] ?? '', pair.split('=')[1] ?? '']));

export const readForm = ({ headers, body }: Exchange): URLSearchParams | undefined =>
  headers['content-type']?.startsWith('application/x-www-form-urlencoded') ? new URLSearchParams(body) : undefined;

export const readJson = ({ body }: Exchange): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(body);
    return value && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
};

const problem = (status: number, title: string, detail: string, more: object = {}): Reply =>
  json(status, { title, detail, type: 'about:blank', status, ...more });

export const invalidRequest = (message: string, parameters: object = {}): Reply =>
  json(400, {
    errors: [{ message, parameters }],
    title: 'Invalid Request',
    detail: 'One or more parameters to your request was invalid.',
    type: 'https://api.x.com/2/problems/invalid-request',
  });
export const unauthorized = () => problem(401, 'Unauthorized', 'Unauthorized');
export const creditsDepleted = () =>
  problem(402, 'Payment Required', 'credits depleted', { type: 'https://api.x.com/2/problems/credits-depleted' });
export const forbidden = (detail = 'You are not permitted to perform this action.') =>
  problem(403, 'Forbidden', detail);
export const duplicate = () => forbidden('You are not allowed to create a Tweet with duplicate content.');
export const suspended = () =>
  problem(403, 'Forbidden', 'The user used for authentication is suspended.', {
    type: 'https://api.twitter.com/2/problems/user-suspended',
  });
export const clientForbidden = () =>
  problem(403, 'Client Forbidden', 'When authenticating requests to the X API v2 endpoints, use a Project’s keys.', {
    reason: 'client-not-enrolled',
    type: 'https://api.twitter.com/2/problems/client-forbidden',
  });
export const locked = () => {
  const message = 'To protect our users from spam and other malicious activity, this account is temporarily locked.';
  return problem(403, 'Forbidden', message, { errors: [{ code: 326, message }] });
};
export const notFound = (id: string) =>
  json(404, {
    errors: [{ title: 'Not Found Error', detail: `Could not find tweet with id: [${id}].`, resource_id: id }],
  });
export const rateLimited = () => problem(429, 'Too Many Requests', 'Too Many Requests');
export const rateLimitedOldStyle = () => json(429, { errors: [{ code: 88, message: 'Rate limit exceeded' }] });
export const serverError = () => problem(500, 'Internal Server Error', 'Something is broken.');
export const unavailable = () => problem(503, 'Service Unavailable', 'Service Unavailable');
export const badGateway = (): Reply => ({
  status: 502,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>',
});

export const oauthError = (status: number, error: string, description: string): Reply =>
  json(status, { error, error_description: description });

const REFUSALS: Record<string, () => Reply> = {
  'server-error': serverError,
  unavailable: unavailable,
  'bad-gateway': badGateway,
  unauthorized: unauthorized,
  'credits-depleted': creditsDepleted,
  forbidden: forbidden,
  duplicate: duplicate,
  'client-forbidden': clientForbidden,
  'user-suspended': suspended,
  locked: locked,
  'rate-limited': rateLimited,
  'rate-limited-old-style': rateLimitedOldStyle,
  'invalid-request': () => invalidRequest('Rejected by a fault switch.'),
};

/** The other faults. The `-after` kinds do the work first and then drop or replace the response. */
const OTHER_FAULTS = [
  'slow',
  'slow-after',
  'drop-before',
  'drop-after',
  'unavailable-after',
  'bad-gateway-after',
  'huge',
];

export const FAULT_KINDS: readonly string[] = [...Object.keys(REFUSALS), ...OTHER_FAULTS];

export const nextFault = ({ state, method, url, body }: Exchange): Fault | undefined => {
  const fault = state.faults.find(
    (f) =>
      f.times > 0 &&
      (f.method ?? method) === method &&
      (f.path ? f.path === url.pathname : url.pathname.startsWith('/2/')) &&
      (!f.grantType || new URLSearchParams(body).get('grant_type') === f.grantType),
  );
  if (fault) fault.times -= 1;
  return fault;
};

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms).unref());

export const applyFault = async (fault: Fault, handle: () => Promise<Reply>, now: number): Promise<Reply | null> => {
  if (fault.kind === 'drop-before') return null;
  if (fault.kind === 'slow') await wait(fault.delayMs);
  const refusal = REFUSALS[fault.kind];
  if (refusal) {
    const reply = refusal();
    if (reply.status === 429) {
      const reset = Math.ceil(now / 1000) + fault.resetSeconds;
      Object.assign(reply.headers, {
        'x-rate-limit-limit': '100',
        'x-rate-limit-remaining': '0',
        'x-rate-limit-reset': `${reset}`,
      });
    }
    return reply;
  }
  const reply = await handle();
  if (fault.kind === 'drop-after') return null;
  if (fault.kind === 'slow-after') await wait(fault.delayMs);
  if (fault.kind === 'unavailable-after') return unavailable();
  if (fault.kind === 'bad-gateway-after') return badGateway();
  if (fault.kind === 'huge') return { ...reply, body: `{"data":"${'x'.repeat(200 * 1024)}"}` };
  return reply;
};
