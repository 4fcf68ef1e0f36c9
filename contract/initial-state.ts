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

/** A page of a list as the initial state and the browser's cache hold it: the JSON array and what its headers say. */
export interface Paged<Reply> {
  items: Reply;
  /** Path and query of the next page, from `Link: <…>; rel="next"`. */
  next: string | null;
  /** X-Total-Count; null where the response has none. */
  total: number | null;
  /** False where counting stopped at LIMITS.countCap. */
  totalExact: boolean;
}

/**
 * What the server puts into every page as `<script type="application/json" id="boot">`: settings, session and the
 * responses that the page shows first by their URL (`toUrl`); those of paged endpoints as `Paged`.
 */
export interface InitialState {
  env: SiteConfig;
  /** Null for nobody; absent where the server could not read the session: the browser then asks for it. */
  me?: Me | null;
  data: Record<string, unknown>;
  /** URLs of what the page is about where that does not exist: they respond 404. */
  missing?: readonly string[];
}

interface Target<E extends EndpointSpec> {
  params?: ParamsOf<E> | undefined;
  query?: QueryInput<E> | undefined;
}

/** Path and query of a request. Parameters are sorted and empty ones dropped, so that equal requests have equal URLs. */
export const toUrl = <E extends EndpointSpec>(spec: E, { params, query }: Target<E> = {}): string => {
  const values = (params ?? {}) as Record<string, string>;
  const path = spec.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const given = Object.entries((query ?? {}) as Record<string, string | undefined>);
  const search = new URLSearchParams(given.filter((pair): pair is [string, string] => Boolean(pair[1])));
  search.sort();
  return search.size > 0 ? `${path}?${search}` : path;
};
