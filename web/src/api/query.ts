import { useCallback, useEffect, useRef, useState } from 'react';
import useSWR, { type Cache, type SWRConfiguration, type SWRResponse, useSWRConfig } from 'swr';
import type { EndpointSpec, ReplyOf } from '../../../contract/endpoint.ts';
import { type InitialState, type Paged, toUrl } from '../../../contract/initial-state.ts';
import { readStored } from '../lib/storage.ts';
import { type ApiError, type EndpointTarget, fetchJson, fetchPage, PrefetchedNotFound } from './client.ts';
import { ME_KEY } from './session.ts';

/** A test user comes in by a header that the page's own request did not have: the server rendered it for somebody else. */
export const isTestUser = ({ env }: InitialState): boolean =>
  env.testUsers.length > 0 && readStored('localStorage', 'testUser') !== null;

/**
 * The cache as the page begins: with what the server sent along, so that the first screen asks for nothing. SWR's
 * `fallback` would not do: data that stands only there is fetched again by the first mutation.
 */
export const seedCache = (boot: InitialState): Cache => {
  if (isTestUser(boot)) return new Map();
  const cache: Cache = new Map();
  for (const [key, data] of Object.entries({ ...boot.data, [ME_KEY]: boot.me })) cache.set(key, { data });
  for (const key of boot.missing ?? []) cache.set(key, { error: new PrefetchedNotFound() });
  return cache;
};

/** Data is never stale, nothing is fetched again by itself and nothing is retried; polls are set where they belong. */
export const SWR_DEFAULTS: SWRConfiguration = {
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  revalidateIfStale: false,
  shouldRetryOnError: false,
  refreshInterval: 0,
};

/** The lists that a write may change, by the addresses that the cache knows them under. */
const LISTS = {
  ads: /^\/api\/(ads(\?|$)|stats|categories\/stats)/,
  myAds: /^\/api\/users\/(\d+\/ads|me\/stats)/,
  profiles: /^\/api\/users\/[^/]+\/profile/,
  favorites: /^\/api\/(user\/favorites|users\/me\/stats)/,
  adminUsers: /^\/api\/admin\/(users|stats)/,
  adminAds: /^\/api\/admin\/(ads|stats)/,
};

/**
 * Forgets lists after a write: those on screen are fetched again now, the others when they are next shown. Data counts
 * as never stale, so without this a list would stay as it was.
 */
export const useInvalidateQueries = () => {
  const { mutate } = useSWRConfig();
  return useCallback(
    async (...names: (keyof typeof LISTS)[]): Promise<void> => {
      const concerns = (key: unknown) => typeof key === 'string' && names.some((name) => LISTS[name].test(key));
      await mutate(concerns, undefined, { revalidate: true });
    },
    [mutate],
  );
};

/** What the cache holds of an endpoint: its reply, of a paged one with the headers' word on the rest. */
export type QueryData<E extends EndpointSpec> = E extends { paged: true } ? Paged<ReplyOf<E>> : ReplyOf<E>;

/** GETs an endpoint as the cache holds it. */
export const fetchForQuery = <E extends EndpointSpec>(spec: E, target: EndpointTarget<E> = {}): Promise<QueryData<E>> =>
  (spec.paged ? fetchPage : fetchJson)(toUrl(spec, target)) as Promise<QueryData<E>>;

/** Reads an endpoint through the cache, under its address; `null` reads nothing. */
export const useApiQuery = <E extends EndpointSpec>(
  spec: E,
  target: EndpointTarget<E> | null,
  options?: SWRConfiguration<QueryData<E>, ApiError>,
): SWRResponse<QueryData<E>, ApiError> => {
  const { cache } = useSWRConfig();
  const url = target && toUrl(spec, target);
  // The page came with the word that it is not there: asking once more would find the same.
  const error: unknown = url === null ? undefined : cache.get(url)?.error;
  const isMissing = error instanceof PrefetchedNotFound && !error.isShown;
  useEffect(() => {
    if (isMissing) error.isShown = true;
  }, [isMissing, error]);
  return useSWR<QueryData<E>, ApiError>(url, () => fetchForQuery(spec, target ?? {}), {
    ...options,
    ...(isMissing ? { revalidateOnMount: false } : {}),
  });
};

type PagedList = EndpointSpec & { paged: true };
type Item<E extends EndpointSpec> = ReplyOf<E> extends (infer T)[] ? T : never;

/**
 * A list that grows by "load more". All loaded pages live in one cache entry, so leaving and coming back restores them
 * without a request, and the server's first page seeds it directly.
 */
export const useInfiniteApiQuery = <E extends PagedList>(
  spec: E,
  target: EndpointTarget<E> | null,
  options?: Pick<SWRConfiguration, 'keepPreviousData'>,
) => {
  type Page = Paged<Item<E>[]>;
  const { data, error, isLoading, mutate } = useApiQuery(spec, target, options);
  const { cache } = useSWRConfig();
  const page = data as Page | undefined;
  const url = target && toUrl(spec, target);
  const shown = useRef(url);
  shown.current = url;
  const [isLoadingMore, setLoadingMore] = useState(false);

  /** Answers how many came; what continues a list that was left or fetched anew meanwhile is dropped. */
  const loadMore = async (): Promise<number> => {
    // While it loads, what is shown may be the list before: its rest does not belong here.
    if (!page?.next || isLoading || isLoadingMore) return 0;
    setLoadingMore(true);
    try {
      const more = await fetchPage<Item<E>[]>(page.next);
      const now = cache.get(url ?? '')?.data as Page | undefined;
      if (shown.current !== url || now?.next !== page.next) return 0;
      const merged = { ...now, items: [...now.items, ...more.items], next: more.next };
      await mutate(merged as NonNullable<typeof data>, { revalidate: false });
      return more.items.length;
    } finally {
      setLoadingMore(false);
    }
  };

  return {
    items: page?.items,
    total: page?.total ?? null,
    totalExact: page?.totalExact ?? true,
    // What is kept of the list before has a rest, but not one of what was asked for.
    hasMore: url !== null && !error && Boolean(page?.next),
    error,
    isLoading,
    isLoadingMore,
    loadMore,
    retry: () => void mutate(),
  };
};
