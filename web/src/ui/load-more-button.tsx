import { Button } from './button.tsx';
import { Spinner } from './spinner.tsx';
import { useToast } from './toast/toast-context.ts';

interface LoadMoreButtonProps {
  list: { hasMore: boolean; isLoading?: boolean; isLoadingMore: boolean; loadMore: () => Promise<number> };
}

/** The rest of a table, page by page; nothing at its end. */
export const LoadMoreButton = ({ list }: LoadMoreButtonProps) => {
  const toast = useToast();
  const handleClick = async () => {
    try {
      await list.loadMore();
    } catch {
      toast({ title: 'Error', description: 'Failed to load more. Please try again.', variant: 'destructive' });
    }
  };
  if (!list.hasMore) return null;
  return (
    <div className="mt-4 flex justify-center">
      <Button variant="outline" busy={list.isLoadingMore || list.isLoading} onClick={() => void handleClick()}>
        {list.isLoadingMore ? <Spinner /> : null} Load more
      </Button>
    </div>
  );
};
