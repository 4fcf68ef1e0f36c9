import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/spinner.tsx';

interface LoadMoreProps {
  hasMore: boolean;
  isLoading: boolean;
  onLoad: () => void;
}

/** The rest of a table, page by page. */
export const LoadMore = ({ hasMore, isLoading, onLoad }: LoadMoreProps) =>
  hasMore ? (
    <div className="mt-4 flex justify-center">
      <Button variant="outline" onClick={onLoad} aria-disabled={isLoading}>
        {isLoading ? <Spinner /> : null} Load more
      </Button>
    </div>
  ) : null;
