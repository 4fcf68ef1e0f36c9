import { useRef, useState } from 'react';
import { type SWRConfiguration, useSWRConfig } from 'swr';
import { type Paged, urlOf } from '../../../contract/boot.ts';
import type { EndpointSpec, ReplyOf } from '../../../contract/endpoint.ts';
import { fetchPage, type Target } from './client.ts';
import { useCall } from './use-call.ts';

type PagedList = EndpointSpec & { paged: true };
type Item<E extends EndpointSpec> = ReplyOf<E> extends (infer T)[] ? T : never;

/**
 * A list that grows by "load more". All loaded pages live in one cache entry, so leaving and coming back restores them
 * without a request, and the server's first page seeds it directly.
 */
export const usePagedCall = <E extends PagedList>(
  spec: E,
  target: Target<E> | null,
  options?: Pick<SWRConfiguration, 'keepPreviousData'>,
) => {
  type Page = Paged<Item<E>[]>;
  const { data, error, isLoading, mutate } = useCall(spec, target, options);
  const { cache } = useSWRConfig();
  const page = data as Page | undefined;
  const url = target && urlOf(spec, target);
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
