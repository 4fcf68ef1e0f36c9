import { t } from '../../../contract/i18n.ts';
import { useFocusFallback } from '../hooks/use-focus-fallback.ts';
import { announce } from '../lib/announcer.tsx';
import { unlessOffline } from '../lib/online.ts';
import { Button } from './button.tsx';
import { Spinner } from './feedback.tsx';
import { useToast } from './toast/toast.tsx';

/** The part of the result of `useInfiniteApiQuery` that loads more. */
export interface MoreList {
  hasMore: boolean;
  isLoading?: boolean;
  isLoadingMore: boolean;
  loadMore: () => Promise<number>;
}

/** Loads the next page of a list. At the end of the list the button disappears and the focus stays in its place. */
export const LoadMoreButton = ({ list }: { list: MoreList }) => {
  const toast = useToast();
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const handleClick = async () => {
    try {
      const count = await list.loadMore();
      if (count > 0) announce(t('list.moreItemsLoaded', { count }));
    } catch {
      toast.error(unlessOffline(t('list.moreFailed')));
    }
  };
  return (
    <div {...focusFallback} tabIndex={-1} className={list.hasMore ? 'mt-4 flex justify-center' : undefined}>
      {list.hasMore ? (
        <Button variant="outline" busy={list.isLoadingMore || list.isLoading} onClick={() => void handleClick()}>
          {list.isLoadingMore ? <Spinner /> : null} {t('list.loadMoreItems')}
        </Button>
      ) : null}
    </div>
  );
};
