import type { EndpointSpec, ParamsOf, QueryInput } from './endpoint.ts';
import type { Me } from './user.ts';

/** Settings of the site that the browser may know. Never a secret. */
export interface SiteConfig {
  siteName: string;
  mode: 'production' | 'development' | 'test';
  /** The sample users of the development panel; empty where X-Test-User is not honoured. */
  testUsers: { id: string; username: string; displayName: string }[];
  xPosting: 'off' | 'intent' | 'api';
  /** The product's own X account, without the @. */
  siteXHandle: string;
  supportEmail: string;
  legalEmail: string;
  maxImages: number;
}

/** A list as boot data and the browser's cache hold it: the JSON array with what its headers said. */
export interface Paged<Reply> {
  items: Reply;
  /** Path and query of the next page, from `Link: <…>; rel="next"`. */
  next: string | null;
  /** X-Total-Count; null where the answer had none. */
  total: number | null;
  /** False where counting stopped at LIMITS.countCap. */
  totalExact: boolean;
}

/**
 * What the server puts into every page as `<script type="application/json" id="boot">`: settings, session and the
 * answers of the page's first calls by `urlOf`; of paged endpoints as `Paged`.
 */
export interface InitialState {
  env: SiteConfig;
  me: Me | null;
  data: Record<string, unknown>;
  /** Addresses of what the page is about and is not there: its calls would answer 404. */
  missing?: readonly string[];
}

interface Target<E extends EndpointSpec> {
  params?: ParamsOf<E> | undefined;
  query?: QueryInput<E> | undefined;
}

/** Path and query of a call: parameters sorted, empty ones dropped, so that equal calls have equal addresses. */
export const toUrl = <E extends EndpointSpec>(spec: E, { params, query }: Target<E> = {}): string => {
  const values = (params ?? {}) as Record<string, string>;
  const path = spec.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const given = Object.entries((query ?? {}) as Record<string, string | undefined>);
  const search = new URLSearchParams(given.filter((pair): pair is [string, string] => Boolean(pair[1])));
  search.sort();
  return search.size > 0 ? `${path}?${search}` : path;
};
