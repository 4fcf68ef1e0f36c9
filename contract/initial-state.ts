import type { Settings } from './admin.ts';
import type { Brand } from './brand.ts';
import type { EndpointSpec, ParamsOf, QueryInput } from './endpoint.ts';
import type { Language } from './languages.ts';
import type { Currency } from './money.ts';
import type { Me } from './user.ts';

export interface SiteConfig extends Pick<Brand, 'headline' | 'tagline' | 'footerLine' | 'isBeta' | 'links'> {
  siteName: string;
  /** The address of the logo; null for the built-in mark. */
  logo: string | null;
  mode: 'production' | 'development' | 'test';
  testUsers: { id: string; username: string; displayName: string }[];
  xPosting: 'off' | 'intent' | 'api';
  siteXHandle: string;
  supportEmail: string;
  legalEmail: string;
  maxImages: number;
  distanceUnit: Settings['distanceUnit'];
  /** Whether there is an imprint, to which the footer then links. */
  hasImprint: boolean;
  currency: Currency;
  /** That of this page. */
  language: Language;
  /** Those that a person may choose; the first is the marketplace's own. */
  languages: readonly Language[];
}

/** A page of a list, as the initial state and the client's cache store it: the JSON array and its headers. */
export interface Paged<Reply> {
  items: Reply;
  next: string | null;
  total: number | null;
  totalExact: boolean;
  /** Of a search: the words that were searched for, if not those that were typed. */
  search?: string;
  /** Of a search: whether the ads have all words or some of them. */
  match?: 'all' | 'some';
}

/**
 * Data that the server puts into every page as `<script type="application/json" id="boot">`: settings, session, and
 * the responses that the page shows first, by URL (`toUrl`). Responses of paged endpoints are stored as `Paged`.
 */
export interface InitialState {
  env: SiteConfig;
  /** Null when signed out; absent if the server could not read the session: the client then requests it. */
  me?: Me | null;
  data: Record<string, unknown>;
  /** URLs of the page's subject if it does not exist: they respond 404. */
  missing?: readonly string[];
  /** The page was refused by a rate limit: in how many seconds it may be opened again. */
  retryAfter?: number;
}

interface Target<E extends EndpointSpec> {
  params?: ParamsOf<E> | undefined;
  query?: QueryInput<E> | undefined;
}

export const toUrl = <E extends EndpointSpec>(spec: E, { params, query }: Target<E> = {}): string => {
  const values = (params ?? {}) as Record<string, string>;
  const path = spec.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const given = Object.entries((query ?? {}) as Record<string, string | undefined>);
  const search = new URLSearchParams(given.filter((pair): pair is [string, string] => Boolean(pair[1])));
  search.sort();
  return search.size > 0 ? `${path}?${search}` : path;
};
