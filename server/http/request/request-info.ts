import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { LIMITS } from '../../../contract/limits.ts';
import type { Config } from '../../config/load.ts';
import { isLoopback } from '../../endpoints/client-address.ts';
import type { RequestInfo, Viewer } from '../../endpoints/define.ts';
import type { Logger } from '../../observability/log.ts';
import type { Actor } from '../../policy.ts';

export interface RequestState {
  requestId: string;
  ip: string;
  log: Logger;
  route?: string;
  actor?: Actor;
  /** Counts the request as ended while its stream goes on: the stream's duration is no response time. */
  answered(): void;
  /** The request sent a cookie of no live session, which its response deletes. */
  hasStaleSession?: boolean;
  /** Of the live session that the request belongs to. */
  sessionKind?: 'start' | 'x' | 'password';
  traceId?: string;
  /** Waits for the client, such as for its body, without the request's place among those that run; see load-shedding.ts. */
  withoutPlace?<R>(work: () => Promise<R>): Promise<R>;
}

export const SESSION_COOKIE = 'connect.sid';

function countParameters(url: string): number {
  let count = 0;
  for (let at = url.indexOf('?'); at >= 0; at = url.indexOf('&', at + 1)) count++;
  return count;
}

/**
 * Whether the path, without its query, has more than LIMITS.path bytes, or the query too many parameters: Koa takes the
 * square of their number. Ask this before anything reads the address.
 */
export const isAddressTooLong = ({ url = '' }: Pick<IncomingMessage, 'url'>): boolean =>
  (url.length > LIMITS.path && !url.slice(0, LIMITS.path + 1).includes('?')) ||
  countParameters(url) > LIMITS.queryParameters;

/** The value of a cookie, of the first one if a client sends several of that name. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** Below /api; HTTP allows the whole address instead of the path. */
const API = /^([a-z][a-z\d+.-]*:\/\/[^/?#]*)?\/api\//i;

/**
 * What the header `Authorization: Bearer` of a request to the API says. Pages and files know no access tokens, and leave
 * other schemes to proxies.
 */
export function readBearer({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): string | undefined {
  const found = API.test(url) ? /^bearer(\s.*)?$/i.exec(headers.authorization ?? '') : null;
  return found ? (found[1] ?? '').trim() : undefined;
}

/** Whether an access token came with the request: then its cookies count for nothing. */
export const hasToken = (req: Pick<IncomingMessage, 'url' | 'headers'>): boolean => readBearer(req) !== undefined;

type Sent = Pick<IncomingMessage, 'headers' | 'socket'>;

/** The id in X-Test-User, or in the cookie that an <img> sends instead, if it counts: in tests, from this machine. */
export const findTestUser = (
  { headers, socket }: Sent,
  { isProduction, authTestUsers }: TestUsers,
): string | undefined =>
  !isProduction && authTestUsers && isLoopback(socket.remoteAddress)
    ? (headers['x-test-user']?.toString() ?? readCookie(headers.cookie, 'testUser'))
    : undefined;

type TestUsers = Pick<Config, 'isProduction' | 'authTestUsers'>;

/** Whether the request names nobody. One that does may still be a visitor's: SessionReader checks what it sent. */
export const isSignedOut = (req: Sent, config: TestUsers): boolean =>
  readCookie(req.headers.cookie, SESSION_COOKIE) === undefined && findTestUser(req, config) === undefined;

export const toViewer = ({ method = '', headers }: IncomingMessage, ip: string): Viewer => ({
  ip,
  method,
  userAgent: (headers['user-agent'] ?? '').slice(0, 500),
  isPrefetch: /prefetch|prerender/.test(`${headers['sec-purpose'] ?? ''}${headers.purpose ?? ''}`),
});

function abortOnDisconnect({ res }: Context): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => res.writableFinished || controller.abort());
  return controller.signal;
}

export const toRequestInfo = (ctx: Context): Omit<RequestInfo, 'findSessionHash' | 'renewSession'> => ({
  ...toViewer(ctx.req, ctx.state.ip),
  id: ctx.state.requestId,
  log: ctx.state.log,
  signal: abortOnDisconnect(ctx),
});
