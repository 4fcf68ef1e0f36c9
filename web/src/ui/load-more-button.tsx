import { Button } from './button.tsx';
import { Spinner } from './spinner.tsx';

interface LoadMoreButtonProps {
  list: { hasMore: boolean; isLoading?: boolean; isLoadingMore: boolean; loadMore: () => Promise<number> };
}

/** The rest of a table, page by page; nothing at its end. */
export const LoadMoreButton = ({ list }: LoadMoreButtonProps) =>
  list.hasMore ? (
    <div className="mt-4 flex justify-center">
      <Button variant="outline" busy={list.isLoadingMore || list.isLoading} onClick={() => void list.loadMore()}>
        {list.isLoadingMore ? <Spinner /> : null} Load more
      </Button>
    </div>
  ) : null;
