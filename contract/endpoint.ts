import type * as z from 'zod/mini';
import type { COMMON_ERRORS, ErrorCode } from './errors.ts';
import type { LimitName } from './limits.ts';
import type { Scope } from './scopes.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call an endpoint: everyone, any signed-in unbanned user, staff (moderators and administrators), or administrators
 * only. Rules that depend on the row (owner, participant) live in server/policy.ts and in the WHERE of the write.
 */
export type Access = 'public' | 'user' | 'moderator' | 'admin';

/** The subjects that reads show and writes change. A write makes a client refetch reads that share a tag. */
export type Tag =
  | 'ad'
  | 'ads'
  | 'myAds'
  | 'profiles'
  | 'favorites'
  | 'adminUsers'
  | 'adminAds'
  | 'inbox'
  | 'conversation'
  | 'unread'
  | 'notifications'
  | 'unreadNotifications'
  | 'pushSubscriptions'
  | 'passkeys'
  | 'recoveryCodes'
  | 'accessTokens'
  | 'cases'
  | 'decisions'
  | 'blocks'
  | 'notificationSettings'
  | 'email'
  | 'follows'
  | 'savedSearches'
  | 'buyers'
  | 'deals'
  | 'ratings'
  | 'imports'
  | 'import'
  | 'webhooks'
  | 'webhookDeliveries'
  | 'synonyms'
  | 'pages'
  | 'categories';

export interface EndpointSpec {
  method: Method;
  path: string;
  summary: string;
  access: Access;
  /**
   * What a request with an access token needs: a scope, or nothing where a program reads what everyone may (`public`), as
   * a visitor. `session`: no token will do, because the call concerns ways in, an account's end, bans, roles or settings, or
   * comes from a page, a form or a mail.
   */
  scope: Scope | 'public' | 'session';
  /** A suspended user may call this endpoint; all others respond 403 `account_suspended`. */
  whileSuspended?: boolean;
  /** Path parameters: all strings. An invalid value is 404, never 400. */
  params?: z.ZodMiniType;
  query?: z.ZodMiniType;
  body?: z.ZodMiniType;
  /** Instead of `body` in builds for the browser, for bodies that a form checks (trimContract). */
  loadBody?: () => Promise<z.ZodMiniType>;
  bodyLimit?: number;
  /** In bytes, of a JSON body apart from data URLs; `LIMITS.bodyJson` by default. */
  jsonLimit?: number;
  /** The body is a file of one of these types and no JSON. The handler reads it, once it has checked the caller. */
  bodyTypes?: readonly string[];
  /** The handler reads that file as it arrives: the server never holds all of it. */
  streamsBody?: true;
  /** The JSON of a successful response; absent means an empty 204. */
  reply?: z.ZodMiniType;
  /** The reply is a file of one of these types and no JSON, for this caller alone. */
  replyTypes?: readonly string[];
  events?: Readonly<Record<string, z.ZodMiniType>>;
  /** Status of a successful response; default 200, or 204 without a reply. */
  status?: 200 | 201 | 202 | 204;
  /** Status of a successful response that created nothing (`reply.status`). */
  otherStatus?: 200;
  paged?: boolean;
  /** Further headers of the reply, with what they say. */
  headers?: Record<string, string>;
  /** The rate limit in which requests count. Default: `read` for GET, `write` for other methods. */
  limit?: LimitName;
  /**
   * A mail program calls this endpoint by itself (RFC 8058): from any origin, with a form as its body. Its query carries
   * a signed token, and it reads neither cookie nor session.
   */
  oneClick?: boolean;
  /** Accepts an Idempotency-Key header (POST only). */
  idempotent?: boolean;
  /** The response is the same for every caller, or for every signed-out one, and is cached briefly. */
  shared?: boolean | 'signed-out';
  /** A shared response that leaves out ads of people whom the signed-in caller blocked. */
  hidesBlocked?: boolean;
  /** This endpoint stores nothing although it is not a GET: the caller may still read from caches and the replica. */
  changesNothing?: boolean;
  tags?: readonly Tag[];
  invalidates?: readonly Tag[];
  /** Besides COMMON_ERRORS and those that follow from the other properties (server/http/endpoints/openapi.ts). */
  errors?: readonly Exclude<ErrorCode, (typeof COMMON_ERRORS)[number]>[];
}

/** Declares one endpoint. Router, client, OpenAPI, authorization matrix and fuzzer are all built from this object. */
export const endpoint = <const E extends EndpointSpec>(spec: E): E => spec;

export const getLimit = ({ method, limit }: EndpointSpec): LimitName => limit ?? (method === 'GET' ? 'read' : 'write');

type Out<T> = T extends z.ZodMiniType ? z.output<T> : undefined;
type In<T> = T extends z.ZodMiniType ? z.input<T> : undefined;
type Part<E, K extends string> = K extends keyof E ? E[K] : undefined;

export type ParamsOf<E extends EndpointSpec> = Out<Part<E, 'params'>>;
export type QueryOf<E extends EndpointSpec> = Out<Part<E, 'query'>>;
export type BodyOf<E extends EndpointSpec> = Out<Part<E, 'body'>>;
export type EventsOf<E extends EndpointSpec> =
  NonNullable<E['events']> extends infer Events ? { [Name in keyof Events]: Out<Events[Name]> } : never;
export type BodyInput<E extends EndpointSpec> = In<Part<E, 'body'>>;
export type QueryInput<E extends EndpointSpec> = In<Part<E, 'query'>>;
export type ReplyOf<E extends EndpointSpec> = Out<Part<E, 'reply'>>;
