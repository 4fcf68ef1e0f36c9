import type { Readable } from 'node:stream';
import type { BodyOf, EndpointSpec, EventsOf, ParamsOf, QueryOf, ReplyOf } from '../../contract/endpoint.ts';
import type { Language } from '../../contract/languages.ts';
import type { AppContext } from '../app-context.ts';
import type { Logger } from '../observability/log.ts';
import type { AnonymousActor, UserActor } from '../policy.ts';
import type { Visitor } from './visitor.ts';

export type ActorOf<E extends EndpointSpec> = E['access'] extends 'public' ? UserActor | AnonymousActor : UserActor;

export interface Viewer extends Visitor {
  method: string;
}

export interface RequestInfo extends Viewer {
  id: string;
  log: Logger;
  signal: AbortSignal;
  /** Hash of the id of the session that the request belongs to; undefined for a test user. */
  findSessionHash(): Buffer | undefined;
  /** Another id for the session that the request belongs to; undefined for a test user. */
  renewSession(): SessionRenewal | undefined;
}

export interface SessionRenewal {
  /** Hashes of the ids. */
  former: Buffer;
  next: Buffer;
  /** The transaction of the service has stored the new one. */
  isStored: boolean;
  /** Gives the new id to the browser, once it is stored. */
  send(): void;
}

export interface PageInfo {
  nextCursor?: string | null;
  total?: { count: number; isExact: boolean };
}

/** The reply as serialized JSON; parsed against the contract only in tests. */
export interface JsonBytes {
  readonly json: Buffer;
}

export interface JsonStream {
  readonly stream: Readable;
}

export interface ResponseHelper<E extends EndpointSpec> {
  header(name: string, value: string): void;
  /** Replaces the endpoint's `status` by its `otherStatus`. */
  status(code: NonNullable<E['otherStatus']>): void;
  page(info: PageInfo): void;
  onSend(effect: (viewer: Viewer) => void): void;
  json(bytes: Buffer): JsonBytes & { readonly __reply?: ReplyOf<E> };
  /** Streams the reply's JSON. An error midway closes the connection. */
  stream(json: Readable): JsonStream;
}

/**
 * Runs the work of an idempotent command. With an Idempotency-Key, `ctx` uses a transaction that first claims the key
 * and finally stores the result: a second request with that key gets the same response and writes nothing.
 */
export type Once = <R>(work: (ctx: AppContext) => Promise<R>) => Promise<R>;

export interface SessionWriter {
  /** Starts a session of that user under a new id and ends the old one. */
  start(userId: string, kind: 'x' | 'password'): Promise<void>;
  end(): Promise<void>;
}

export interface EventStream<E extends EndpointSpec> {
  send<Name extends keyof EventsOf<E> & string>(name: Name, data: EventsOf<E>[Name]): void;
  /** Called once, when either side ends the stream. */
  onClose(effect: () => void): void;
}

interface CommonInput<E extends EndpointSpec> {
  ctx: AppContext;
  params: ParamsOf<E>;
  query: QueryOf<E>;
}

export interface Query<E extends EndpointSpec> extends CommonInput<E> {
  actor: ActorOf<E>;
  /** What the caller reads. */
  language: Language;
  reply: ResponseHelper<E>;
}

export interface CachedQuery<E extends EndpointSpec> extends CommonInput<E> {
  actor: E extends { shared: true; hidesBlocked?: never } ? AnonymousActor : ActorOf<E>;
  reply: ResponseHelper<E>;
}

export interface Command<E extends EndpointSpec, S = undefined> extends CommonInput<E> {
  actor: ActorOf<E>;
  /** What the caller reads. */
  language: Language;
  body: BodyOf<E>;
  /** Reads the body of an endpoint with `bodyTypes`. @throws {AppError} payload_too_large, unsupported_media_type */
  readFile: E extends { bodyTypes: readonly string[] } ? () => Promise<Buffer> : undefined;
  /** The body of an endpoint with `streamsBody`, as it arrives. It throws as `readFile` does, at any chunk. */
  streamFile: E extends { streamsBody: true } ? () => AsyncGenerator<Uint8Array> : undefined;
  request: RequestInfo;
  reply: ResponseHelper<E>;
  once: E extends { idempotent: true } ? Once : undefined;
  session: S extends true ? SessionWriter : undefined;
}

export interface Stream<E extends EndpointSpec> {
  ctx: AppContext;
  actor: UserActor;
  query: QueryOf<E>;
  stream: EventStream<E>;
}

type InputOf<E extends EndpointSpec, S> = E extends { events: object }
  ? Stream<E>
  : E['method'] extends 'GET'
    ? E extends { shared: true | 'signed-out' }
      ? CachedQuery<E>
      : Query<E>
    : Command<E, S>;

// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a reply returns nothing
type Result<E extends EndpointSpec> = E extends { replyTypes: readonly string[] }
  ? Buffer
  : ReplyOf<E> extends undefined
    ? void
    : ReplyOf<E> | JsonBytes | JsonStream;
type HandlerOf<Input, R> = (input: Input) => Promise<R> | R;

export interface RouteOptions<S = undefined> {
  session?: S;
}

// biome-ignore lint/suspicious/noExplicitAny: `route` has checked each handler against its own endpoint
type Any = any;

export type Route = { spec: EndpointSpec; options: RouteOptions<true | undefined> } & (
  | { kind: 'query'; handle: HandlerOf<Query<Any>, unknown> }
  | { kind: 'cached-query'; handle: HandlerOf<CachedQuery<Any>, unknown> }
  | { kind: 'command'; handle: HandlerOf<Command<Any, Any>, unknown> }
  | { kind: 'stream'; handle: HandlerOf<Stream<Any>, unknown> }
);
export type RouteOf<Kind extends Route['kind']> = Extract<Route, { kind: Kind }>;

const getKind = ({ method, events, shared }: EndpointSpec): Route['kind'] => {
  if (events) return 'stream';
  if (method !== 'GET') return 'command';
  return shared ? 'cached-query' : 'query';
};

export const route = <const E extends EndpointSpec, S extends true | undefined = undefined>(
  spec: E,
  handle: HandlerOf<InputOf<E, S>, Result<E>>,
  options: RouteOptions<S> = {},
): Route => ({ spec, options, kind: getKind(spec), handle }) as unknown as Route;
