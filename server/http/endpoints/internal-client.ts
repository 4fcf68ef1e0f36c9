import type { EndpointSpec, ParamsOf, QueryInput, ReplyOf } from '../../../contract/endpoint.ts';
import { type Paged, toUrl } from '../../../contract/initial-state.ts';
import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../errors.ts';
import { type Actor, mayCall } from '../../policy.ts';
import type { HandlerInput, RequestInfo, Route } from './define.ts';
import { parseParams, parseQuery } from './input.ts';
import { createResponseHelper, serializeResponse } from './output.ts';

export interface EndpointInput<E extends EndpointSpec> {
  params?: ParamsOf<E>;
  query?: QueryInput<E>;
}

/** A reply under the address by which the browser's cache knows it; of a paged list with what its headers say. */
export interface InternalResponse<E extends EndpointSpec> {
  url: string;
  reply: ReplyOf<E>;
  cached: ReplyOf<E> | Paged<ReplyOf<E>>;
  /** When its data were read (performance.now), if before they were asked for. */
  asOf?: number | undefined;
}

export type CallEndpoint = <E extends EndpointSpec>(spec: E, target?: EndpointInput<E>) => Promise<InternalResponse<E>>;

const NEXT = /<([^>]+)>; rel="next"/;

const toPaged = <T>(items: T, headers: Record<string, string>): Paged<T> => ({
  items,
  next: NEXT.exec(headers.Link ?? '')?.[1] ?? null,
  total: headers['X-Total-Count'] === undefined ? null : Number(headers['X-Total-Count']),
  totalExact: headers['X-Total-Count-Exact'] !== 'false',
});

/**
 * Calls reading endpoints of the contract from inside, as this actor: a page's first data are then exactly what the
 * browser would have asked for. `request` by `describeInside`.
 */
export const createInternalClient = (
  appContext: AppContext,
  routes: readonly Route[],
  actor: Actor,
  request: RequestInfo,
): CallEndpoint =>
  async function callInside(spec, target = {}) {
    const route = routes.find((candidate) => candidate.spec === spec);
    if (!route || spec.method !== 'GET') throw new Error(`${spec.path} cannot be called from inside`);
    if (!mayCall(actor, spec.access)) throw new AppError('unauthenticated');
    const url = toUrl(spec, target as never);
    const [path = '', querystring = ''] = url.split('?');
    const params = parseParams(spec.params, (target.params ?? {}) as Record<string, string>);
    const query = parseQuery(spec.query, Object.fromEntries(new URLSearchParams(querystring)));
    const { helper, headers, asOf } = createResponseHelper({ path, querystring });
    const call = { ctx: appContext, actor, params, query, request, reply: helper };
    const answered = await route.handle(call as unknown as HandlerInput<EndpointSpec>);
    const json = serializeResponse(spec, answered, appContext.config.checkReplies);
    const reply = JSON.parse(String(json ?? 'null')) as ReplyOf<typeof spec>;
    return { url, reply, cached: spec.paged ? toPaged(reply, headers) : reply, asOf: asOf() };
  };
