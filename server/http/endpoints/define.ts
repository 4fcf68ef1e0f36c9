import type { Readable } from 'node:stream';
import type { BodyOf, EndpointSpec, EventsOf, ParamsOf, QueryOf, ReplyOf } from '../../../contract/endpoint.ts';
import type { AppContext } from '../../app-context.ts';
import type { Db } from '../../db/pools.ts';
import type { Logger } from '../../observability/log.ts';
import type { AnonymousActor, UserActor } from '../../policy.ts';

export type ActorOf<E extends EndpointSpec> = E['access'] extends 'public' ? UserActor | AnonymousActor : UserActor;

/** Who looks. */
export interface Viewer {
  method: string;
  /** The client's address, past the trusted proxies. */
  ip: string;
  userAgent: string;
  /** Sent ahead of a click (Sec-Purpose, Purpose): counts as no view. */
  isPrefetch: boolean;
}

/** What a handler may know of the request itself. */
export interface RequestInfo extends Viewer {
  id: string;
  /** Path and query as they were sent. */
  url: string;
  log: Logger;
  /** Aborted when the client has gone away. */
  signal: AbortSignal;
}

export interface PageInfo {
  /** Where the next page starts; absent on the last one. */
  nextCursor?: string | null;
  /** First pages: how many there are, and whether counting reached the end. */
  total?: { count: number; isExact: boolean };
}

/** Bytes that already are the reply's JSON; not parsed against the contract but in tests. */
export interface JsonBytes {
  readonly json: Buffer;
}

/** A reply too large for memory; never parsed against the contract. */
export interface JsonStream {
  readonly stream: Readable;
}

export interface ResponseHelper<E extends EndpointSpec> {
  header(name: string, value: string): void;
  /** Link rel="next" and, with a total, X-Total-Count. */
  page(info: PageInfo): void;
  /** The data are from then (performance.now), not from when the answer was begun. */
  asOf(time: number): void;
  /** Done each time that the answer is sent, also when it was kept for others. */
  onSend(effect: (viewer: Viewer) => void): void;
  json(bytes: Buffer): JsonBytes & { readonly __reply?: ReplyOf<E> };
  /** The reply's JSON as it is produced. A failure midway cuts the connection. */
  stream(json: Readable): JsonStream;
}

/**
 * Runs the work, which writes in one transaction. With an Idempotency-Key that one joins another, which claims the key
 * first and stores what the work returns, so a second call with that key gets the same answer and writes nothing.
 */
export type Once = <R>(work: (db: Db) => Promise<R>) => Promise<R>;

/** The session of a route that writes one (`{ session: true }`). */
export interface SessionWriter {
  /** Starts a session of that person under a new id; the old one is gone. */
  start(userId: string, kind: 'x' | 'password'): Promise<void>;
  end(): Promise<void>;
}

/** The answer of an endpoint with `events`, while it goes on. */
export interface EventStream<E extends EndpointSpec> {
  send<Name extends keyof EventsOf<E> & string>(name: Name, data: EventsOf<E>[Name]): void;
  /** Done once, when either side ends the stream. */
  onClose(effect: () => void): void;
}

export interface HandlerInput<E extends EndpointSpec, A = undefined> {
  ctx: AppContext;
  actor: ActorOf<E>;
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  request: RequestInfo;
  reply: ResponseHelper<E>;
  once: Once;
  session: SessionWriter;
  stream: E extends { events: object } ? EventStream<E> : undefined;
  /** Counts the call once more in the endpoint's limit, under another key (a login name). */
  limit(key: string): Promise<void>;
  /** What `readBody` put beside the JSON. */
  attachment: A;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a reply returns nothing
type Result<E extends EndpointSpec> = ReplyOf<E> extends undefined ? void : ReplyOf<E> | JsonBytes | JsonStream;
export type Handler<E extends EndpointSpec, A = undefined> = (
  call: HandlerInput<E, A>,
) => Promise<Result<E>> | Result<E>;

export interface RouteOptions<A> {
  /** koa-session wraps the route: it starts, changes or ends a session. */
  session?: true;
  /**
   * Parses large bodies off the main thread: raw bytes (or the path of a file of them) in, JSON for the contract's schema
   * and an attachment out.
   */
  readBody?: (appContext: AppContext, source: Buffer | string) => Promise<{ json: unknown; attachment: A }>;
}

/** A bound endpoint; server/http/endpoints/bind.ts gives it to the router. */
export interface Route {
  spec: EndpointSpec;
  // biome-ignore lint/suspicious/noExplicitAny: each route's types are checked where it is made
  handle: Handler<any, any>;
  options: RouteOptions<unknown>;
}

/** Binds an endpoint of the contract to what answers it. */
export const route = <const E extends EndpointSpec, A = undefined>(
  spec: E,
  handle: Handler<E, A>,
  options: RouteOptions<A> = {},
): Route => ({ spec, handle, options });
