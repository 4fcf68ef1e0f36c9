import { getMe } from '../../../contract/auth.ts';
import type { BodyInput, EndpointSpec, ParamsOf, QueryInput, ReplyOf } from '../../../contract/endpoint.ts';
import type { ErrorReply } from '../../../contract/errors.ts';
import { getLanguage } from '../../../contract/i18n.ts';
import { type Paged, toUrl } from '../../../contract/initial-state.ts';
import { unlessOffline } from '../lib/online.ts';
import { readStored } from '../lib/storage.ts';

/** A failed request. The message is "{status}: {body or status text}". */
export class ApiError extends Error {
  readonly status: number;
  /** The error of the server, if the body contains one. */
  readonly reply: ErrorReply | undefined;

  constructor(status: number, statusText: string, body: string) {
    super(`${status}: ${body || statusText}`);
    this.name = 'ApiError';
    this.status = status;
    this.reply = parseReply(body);
  }
}

const parseReply = (body: string): ErrorReply | undefined => {
  try {
    const json = JSON.parse(body);
    return typeof json?.message === 'string' ? json : undefined;
  } catch {
    return undefined;
  }
};

/** What to tell of an error: the server's sentence, that there is no network, or else `fallback`. */
export const getErrorMessage = (error: unknown, fallback: string): string => {
  if (error instanceof ApiError) return error.reply?.message || fallback;
  return unlessOffline(fallback);
};

export const hasStatus = (error: unknown, status: number): boolean =>
  error instanceof ApiError && error.status === status;

export interface EndpointTarget<E extends EndpointSpec> {
  params?: ParamsOf<E>;
  query?: QueryInput<E>;
}

export interface ApiOptions<E extends EndpointSpec> extends EndpointTarget<E> {
  body?: BodyInput<E>;
  /** The server executes POSTs with the same key once. Pass the same key on a retry. */
  idempotencyKey?: string;
}

/** Window event: a response said that the session has ended. */
export const SIGNED_OUT = 'signed-out';

/** Window event: a response said that the account is suspended. */
export const SUSPENDED = 'suspended';

/** Window event: a response said that another account is signed in than the one on this page. */
export const ACCOUNT_CHANGED = 'account-changed';

let shownUserId: string | undefined;
let wasRefused = false;

/** Whether the event was dispatched, perhaps before the code that handles it had loaded. */
export const hasAccountChanged = (): boolean => wasRefused;

/**
 * Sets the id of the user whom the page shows: '' for none, undefined while unknown. Requests name that user, and the
 * server refuses those of another session.
 */
export const setShownUserId = (id: string | undefined): void => {
  shownUserId = id;
  wasRefused = false;
};

export const getShownUserId = (): string | undefined => shownUserId;

export const reportAccountChange = (): void => {
  wasRefused = true;
  window.dispatchEvent(new Event(ACCOUNT_CHANGED));
};

/** 128 random bits. crypto.randomUUID exists on https and localhost only. */
export const createKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** A request that hangs fails after this time. */
export const TIME_LIMIT_MS = 20_000;

/** The headers of each request. */
export const createHeaders = (url: string, given?: HeadersInit): Headers => {
  const headers = new Headers(given);
  headers.set('Accept', 'application/json');
  headers.set('Accept-Language', getLanguage());
  const testUser = readStored('localStorage', 'testUser');
  if (testUser) headers.set('X-Test-User', testUser);
  // This read says who is signed in.
  if (shownUserId !== undefined && url !== getMe.path) headers.set('X-User-Id', shownUserId);
  return headers;
};

/** The error of a response. What it says about the session is dispatched to the page. */
export const toApiError = (status: number, statusText: string, body: string): ApiError => {
  const error = new ApiError(status, statusText, body);
  if (error.reply?.code === 'unauthenticated') window.dispatchEvent(new Event(SIGNED_OUT));
  if (error.reply?.code === 'account_suspended') window.dispatchEvent(new Event(SUSPENDED));
  if (error.reply?.code === 'account_changed') reportAccountChange();
  return error;
};

const request = async (url: string, init: RequestInit = {}): Promise<Response> => {
  const response = await fetch(url, {
    ...init,
    headers: createHeaders(url, init.headers),
    credentials: 'include',
    signal: AbortSignal.timeout(TIME_LIMIT_MS),
  });
  if (response.ok) return response;
  throw toApiError(response.status, response.statusText, await response.text());
};

export const fetchJson = async <T>(url: string): Promise<T> => (await request(url)).json();

const NEXT = /<([^<>]+)> *; *rel="?next"?/;

export const fetchPage = async <T>(url: string): Promise<Paged<T>> => {
  const response = await request(url);
  const next = NEXT.exec(response.headers.get('Link') ?? '')?.[1];
  const total = response.headers.get('X-Total-Count');
  const search = response.headers.get('X-Search-Query');
  const match = response.headers.get('X-Search-Match') as 'all' | 'some' | null;
  const address = next ? new URL(next, location.href) : null;
  return {
    items: await response.json(),
    next: address && address.pathname + address.search,
    total: total === null ? null : Number(total),
    totalExact: response.headers.get('X-Total-Count-Exact') !== 'false',
    ...(search && { search: decodeURIComponent(search) }),
    ...(match && { match }),
  };
};

/** Calls an endpoint of the contract. Throws an ApiError. */
export const apiRequest = async <E extends EndpointSpec>(spec: E, options: ApiOptions<E> = {}): Promise<ReplyOf<E>> => {
  const headers = new Headers();
  if (options.body !== undefined || spec.method === 'POST') headers.set('Content-Type', 'application/json');
  if (spec.idempotent) headers.set('Idempotency-Key', options.idempotencyKey ?? createKey());
  const body = options.body === undefined ? null : JSON.stringify(options.body);
  const response = await request(toUrl(spec, options), { method: spec.method, headers, body });
  return (spec.reply ? await response.json() : undefined) as ReplyOf<E>;
};
