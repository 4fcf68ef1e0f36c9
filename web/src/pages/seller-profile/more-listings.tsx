import { useState } from 'react';
import type { Ad } from '../../../../contract/ads.ts';
import type { Profile } from '../../../../contract/users.ts';
import { messageOf } from '../../api/api-error.ts';
import { fetchPage } from '../../api/client.ts';
import { LoadMoreButton } from '../../ui/load-more-button.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';

interface MoreListingsProps {
  next: string | null;
  /** Answers how many were added: none where the list was fetched anew meanwhile. */
  onLoaded: (ads: Ad[], next: string | null) => Promise<number>;
}

/** The profile is an object around its list, so its further pages are fetched here. */
export const MoreListings = ({ next, onLoaded }: MoreListingsProps) => {
  const [isLoadingMore, setLoadingMore] = useState(false);
  const showToast = useToast();
  const loadMore = async (): Promise<number> => {
    if (!next || isLoadingMore) return 0;
    setLoadingMore(true);
    try {
      const page = await fetchPage<Profile>(next);
      return await onLoaded(page.items.ads, page.next);
    } catch (error) {
      showToast({ title: 'Error', description: messageOf(error, 'Failed to fetch ads'), variant: 'destructive' });
      return 0;
    } finally {
      setLoadingMore(false);
    }
  };
  return <LoadMoreButton list={{ hasMore: next !== null, isLoadingMore, loadMore }} />;
};
