import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import useSWR, { type SWRConfiguration, type SWRResponse, useSWRConfig } from 'swr';
import type { EndpointSpec, ReplyOf, Tag } from '../../../contract/endpoint.ts';
import { type InitialState, type Paged, toUrl } from '../../../contract/initial-state.ts';
import { readStored } from '../lib/storage.ts';
import { ApiError, type ApiOptions, apiRequest, type EndpointTarget, fetchJson, fetchPage } from './client.ts';
import { ME_KEY } from './session.ts';

/**
 * Test users are selected by a request header. The page request has no such header, so the page was rendered signed
 * out.
 */
export const isTestUser = ({ env }: InitialState): boolean =>
  env.testUsers.length > 0 && readStored('localStorage', 'testUser') !== null;

/** Data older than this is read again when it is next shown, or when the browser is online again. */
const FRESH_MS = 60_000;

/** SWR's cache by URL, and the state that invalidation needs. */
class QueryCache extends Map<string, { data?: unknown; error?: unknown; isValidating?: boolean }> {
  readonly tags = new Map<string, readonly Tag[]>();
  /** The last read of each URL. A write removes it, so that a read from before the write does not count. */
  readonly reads = new Map<string, { startedAt: number; isDone: boolean }>();
  /** Writes without a response yet. Their effects may reach the page as events before. */
  readonly writes = new Set<Promise<unknown>>();
  /** URLs that the server reported as missing for the current page. They are not requested until the user returns. */
  readonly missing = new Set<string>();

  /** Whether the data of this URL must be read again: a write changed it, its last read failed, or it is too old. */
  isStale(url: string, freshMs = FRESH_MS): boolean {
    const read = this.reads.get(url);
    return Date.now() - (read?.isDone ? read.startedAt : 0) >= freshMs;
  }

  isReadSince(url: string, time: number): boolean {
    return (this.reads.get(url)?.startedAt ?? 0) >= time;
  }

  /** Reads through `fetch`. The data is fresh if no write and no later read came in between. */
  async read<T>(url: string, fetch: () => Promise<T>): Promise<T> {
    const read = { startedAt: Date.now(), isDone: false };
    this.reads.set(url, read);
    const data = await fetch();
    read.isDone = true;
    return data;
  }
}

/**
 * Creates the cache from the initial state, so that the first screen sends no requests. SWR's `fallback` does not work
 * here: the first mutation would fetch that data again.
 */
export const createQueryCache = (initialState: InitialState): QueryCache => {
  const cache = new QueryCache();
  if (isTestUser(initialState)) return cache;
  for (const [key, data] of Object.entries(initialState.data)) {
    cache.set(key, { data });
    cache.reads.set(key, { startedAt: Date.now(), isDone: true });
  }
  if (initialState.me !== undefined) cache.set(ME_KEY, { data: initialState.me });
  for (const key of initialState.missing ?? []) {
    cache.missing.add(key);
    cache.set(key, { error: new ApiError(404, 'Not Found', '') });
  }
  return cache;
};

export const useQueryCache = (): QueryCache => useSWRConfig().cache as QueryCache;

/** SWR never refetches or retries by itself: `useApiQuery` decides when data is read again. */
export const SWR_DEFAULTS: SWRConfiguration = {
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  revalidateIfStale: false,
  shouldRetryOnError: false,
  refreshInterval: 0,
};

/**
 * Invalidates queries by tag. Queries on screen are refetched now and stay visible. Lists off screen are refetched when
 * they are next shown. Other queries off screen are removed from the cache.
 */
export const useInvalidateQueries = () => {
  const { mutate } = useSWRConfig();
  const cache = useQueryCache();
  return useCallback(
    async (...tags: readonly Tag[]): Promise<void> => {
      const keys = [...cache.tags].filter(([, own]) => own.some((tag) => tags.includes(tag))).map(([key]) => key);
      for (const key of keys) cache.reads.delete(key);
      await Promise.allSettled(keys.map((key) => mutate(key)));
      for (const key of keys) if (!cache.reads.has(key) && !isPaged(cache.get(key)?.data)) cache.delete(key);
    },
    [mutate, cache],
  );
};

/** The cached data of an endpoint: the reply, or for a paged endpoint the list and its pagination headers. */
export type QueryData<E extends EndpointSpec> = E extends { paged: true } ? Paged<ReplyOf<E>> : ReplyOf<E>;

const isPaged = (data: unknown): data is Paged<unknown> => data instanceof Object && 'next' in data;

export const fetchForQuery = <E extends EndpointSpec>(spec: E, target: EndpointTarget<E> = {}): Promise<QueryData<E>> =>
  (spec.paged ? fetchPage : fetchJson)(toUrl(spec, target)) as Promise<QueryData<E>>;

const fetchLoadedPages = async (url: string, loaded: number): Promise<Paged<unknown>> => {
  let list: Paged<unknown> = await fetchPage(url);
  while (list.next && Array.isArray(list.items) && list.items.length < loaded) {
    const more = await fetchPage<unknown[]>(list.next);
    list = { ...list, items: [...list.items, ...more.items], next: more.next };
  }
  return list;
};

type QueryOptions<T> = Omit<SWRConfiguration<T, ApiError>, 'fetcher' | 'revalidateOnMount' | 'revalidateIfStale'> & {
  /** How old shown data may be; 0 reads it again whenever it is shown. */
  freshMs?: number;
  fetcher?: () => Promise<T>;
};

/**
 * Reads an endpoint through the cache; nothing while its target is `null`. Cached data is shown at once. What is stale is
 * read again behind it: on mount, when the target changes, and when the browser is online again. If that fails, the data
 * stays, stale, beside the error.
 */
export const useApiQuery = <E extends EndpointSpec, T = QueryData<E>>(
  spec: E,
  target: EndpointTarget<E> | null,
  { fetcher, freshMs = FRESH_MS, ...options }: QueryOptions<T> = {},
): SWRResponse<T, ApiError> => {
  const cache = useQueryCache();
  const url = target && toUrl(spec, target);
  if (url && spec.tags) cache.tags.set(url, spec.tags);
  const fetchNow = async (): Promise<T> => {
    if (fetcher) return fetcher();
    const loaded = url === null ? undefined : cache.get(url)?.data;
    if (!isPaged(loaded) || !Array.isArray(loaded.items)) return (await fetchForQuery(spec, target ?? {})) as T;
    return (await fetchLoadedPages(url ?? '', loaded.items.length)) as T;
  };
  useEffect(() => () => void cache.missing.delete(url ?? ''), [cache, url]);
  const isMissing = url !== null && cache.missing.has(url);
  const isStale = () => url !== null && !isMissing && cache.isStale(url, freshMs);
  const query = useSWR<T, ApiError>(url, () => cache.read(url ?? '', fetchNow), {
    ...options,
    revalidateIfStale: isStale(),
    ...(isMissing && { revalidateOnMount: false }),
  });
  const handleOnline = useEffectEvent(() => {
    if (isStale()) void query.mutate();
  });
  useEffect(() => {
    window.addEventListener('online', handleOnline);
    return () => window.removeEventListener('online', handleOnline);
  }, []);
  // The previous target's data is no substitute for data that failed, unless nothing else can be had.
  const isOfPrevious =
    options.keepPreviousData && query.error && navigator.onLine && cache.get(url ?? '')?.data === undefined;
  return isOfPrevious ? { ...query, data: undefined } : query;
};

type PagedList = EndpointSpec & { paged: true };
type Item<E extends EndpointSpec> = ReplyOf<E> extends (infer T)[] ? T : never;

/**
 * A list with "Load more". All loaded pages are one cache entry, so the whole list is restored when the user comes
 * back.
 */
export const useInfiniteApiQuery = <E extends PagedList>(
  spec: E,
  target: EndpointTarget<E> | null,
  options?: Pick<QueryOptions<QueryData<E>>, 'keepPreviousData' | 'freshMs'>,
) => {
  type Page = Paged<Item<E>[]>;
  const { data, error, isLoading, mutate } = useApiQuery(spec, target, options);
  const cache = useQueryCache();
  const url = target && toUrl(spec, target);
  const page = data as Page | undefined;
  const shownUrlRef = useRef(url);
  useEffect(() => {
    shownUrlRef.current = url;
  });
  const [isLoadingMore, setLoadingMore] = useState(false);

  /** Returns the number of new items. Discards the page if the list was left or refetched meanwhile. */
  const loadMore = async (): Promise<number> => {
    const next = page?.next;
    // While the list loads, the items on screen may belong to the previous list.
    if (!url || !next || isLoading || isLoadingMore || cache.get(url)?.isValidating) return 0;
    setLoadingMore(true);
    try {
      const more = await fetchPage<Item<E>[]>(next);
      const now = cache.get(url);
      const list = now?.data as Page | undefined;
      if (shownUrlRef.current !== url || list?.next !== next || now?.isValidating) return 0;
      const merged = { ...list, items: [...list.items, ...more.items], next: more.next };
      await mutate(merged as NonNullable<typeof data>, { revalidate: false });
      return more.items.length;
    } finally {
      setLoadingMore(false);
    }
  };

  return {
    data: page?.items,
    total: page?.total ?? null,
    totalExact: page?.totalExact ?? true,
    page,
    // The previous list stays on screen while this one loads, and has its own next page.
    hasMore: url !== null && Boolean(page?.next),
    error,
    isLoading,
    isLoadingMore,
    loadMore,
    mutate: () => mutate(),
  };
};

/**
 * Returns a function that calls a writing endpoint and then invalidates the tags that the contract names. `apply` writes
 * the reply to the cache before that. Throws an ApiError.
 */
export const useApiMutation = <E extends EndpointSpec>(spec: E) => {
  const cache = useQueryCache();
  const invalidate = useInvalidateQueries();
  return useCallback(
    async (options: ApiOptions<E> = {}, apply?: (reply: ReplyOf<E>) => Promise<unknown>): Promise<ReplyOf<E>> => {
      const write = async () => {
        const reply = await apiRequest(spec, options);
        await apply?.(reply);
        void invalidate(...(spec.invalidates ?? []));
        return reply;
      };
      const writing = write();
      cache.writes.add(writing);
      return writing.finally(() => cache.writes.delete(writing));
    },
    [spec, invalidate, cache],
  );
};
