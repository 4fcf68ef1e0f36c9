import type { EndpointSpec, ParamsOf, QueryInput, ReplyOf } from '../../../contract/endpoint.ts';
import { type Paged, toUrl } from '../../../contract/initial-state.ts';
import type { Language } from '../../../contract/languages.ts';
import type { AppContext } from '../../app-context.ts';
import type { Route } from '../../endpoints/define.ts';
import { parseParams, parseQuery } from '../../endpoints/input.ts';
import type { AnonymousActor, UserActor } from '../../policy.ts';
import { authorize } from './authorize.ts';
import { createResponseHelper, serializeResponse } from './output.ts';

export interface EndpointInput<E extends EndpointSpec> {
  params?: ParamsOf<E>;
  query?: QueryInput<E>;
}

export interface InternalResponse<E extends EndpointSpec> {
  url: string;
  reply: ReplyOf<E>;
  /** For a paged list, the reply with the values of its headers. */
  cached: ReplyOf<E> | Paged<ReplyOf<E>>;
}

export type CallEndpoint = <E extends EndpointSpec>(spec: E, target?: EndpointInput<E>) => Promise<InternalResponse<E>>;

const NEXT = /^<([^<>]+)>; rel="next"$/;

const toPaged = <T>(items: T, headers: Record<string, string>): Paged<T> => ({
  items,
  next: NEXT.exec(headers.Link ?? '')?.[1] ?? null,
  total: headers['X-Total-Count'] === undefined ? null : Number(headers['X-Total-Count']),
  totalExact: headers['X-Total-Count-Exact'] !== 'false',
  ...(headers['X-Search-Query'] !== undefined && { search: decodeURIComponent(headers['X-Search-Query']) }),
  ...(headers['X-Search-Match'] !== undefined && { match: headers['X-Search-Match'] as Paged<T>['match'] & string }),
});

export const createInternalClient = (
  appContext: AppContext,
  routes: readonly Route[],
  caller: UserActor | AnonymousActor,
  language: Language,
): CallEndpoint =>
  async function callInternally(spec, target = {}) {
    const route = routes.find((candidate) => candidate.spec === spec);
    if (route?.kind !== 'query' && route?.kind !== 'cached-query') throw new Error(`${spec.path} is no query`);
    const actor = authorize(appContext, caller, spec);
    const url = toUrl(spec, target);
    const [path = '', querystring = ''] = url.split('?');
    const params = parseParams(spec.params, (target.params ?? {}) as Record<string, string>);
    const query = parseQuery(spec.query, Object.fromEntries(new URLSearchParams(querystring)));
    const { helper, headers } = createResponseHelper({ path, querystring });
    const result = await route.handle({ ctx: appContext, actor, language, params, query, reply: helper });
    const json = serializeResponse(spec, result, appContext.config.checkReplies);
    const reply = JSON.parse(String(json ?? 'null')) as ReplyOf<typeof spec>;
    return { url, reply, cached: spec.paged ? toPaged(reply, headers) : reply };
  };
