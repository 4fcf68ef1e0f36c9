import { useState } from 'react';
import type { SWRConfiguration } from 'swr';
import type { Paged } from '../../../contract/boot.ts';
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
  const { data, error, isLoading, mutate } = useCall(spec, target, options);
  const page = data as Paged<Item<E>[]> | undefined;
  const [isLoadingMore, setLoadingMore] = useState(false);

  /** Answers how many came. */
  const loadMore = async (): Promise<number> => {
    // While it loads, what is shown may be the list before: its rest does not belong here.
    if (!page?.next || isLoading || isLoadingMore) return 0;
    setLoadingMore(true);
    try {
      const more = await fetchPage<Item<E>[]>(page.next);
      const merged = { ...page, items: [...page.items, ...more.items], next: more.next };
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
    hasMore: Boolean(page?.next),
    error,
    isLoading,
    isLoadingMore,
    loadMore,
    retry: () => void mutate(),
  };
};
