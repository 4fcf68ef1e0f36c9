import { CircleAlert, RotateCw } from 'lucide-react';
import { useEffect } from 'react';
import { useRouteError } from 'react-router-dom';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/feedback.tsx';
import { isChunkLoadError, reloadOnce } from './startup/chunks.ts';

/** Where a page ends that failed to load or to render. */
export const ErrorPage = () => {
  const error = useRouteError();
  const isChunk = isChunkLoadError(error);
  useEffect(() => {
    console.error(error);
    if (isChunk) reloadOnce();
  }, [error, isChunk]);
  return (
    <div role="alert" className="container-page py-16">
      <EmptyState
        heading="h1"
        icon={CircleAlert}
        title={isChunk ? 'This page could not be loaded' : 'Something went wrong'}
        text={
          isChunk
            ? 'The connection may be down, or the site was just updated. Reload to try again.'
            : 'The page ran into an error. Reload to try again; what you have saved is safe.'
        }
      >
        <Button onClick={() => location.reload()}>
          <RotateCw aria-hidden="true" />
          Reload
        </Button>
        <Button asChild variant="outline">
          <a href="/">Back to Home</a>
        </Button>
      </EmptyState>
    </div>
  );
};
