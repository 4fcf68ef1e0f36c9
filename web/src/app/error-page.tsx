import { CircleAlert, RotateCw } from 'lucide-react';
import { Component, type ReactNode, useEffect } from 'react';
import { useRouteError } from 'react-router-dom';
import { isChunkLoadError, reloadOnce } from '../lib/chunks.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/feedback.tsx';

export const ErrorPage = () => <ErrorScreen error={useRouteError()} />;

/** Catches errors outside of pages, where no route has an error page. Without it, the document would become blank. */
export class RootErrorBoundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};
  static getDerivedStateFromError = (error: unknown) => ({ error });
  override render() {
    return 'error' in this.state ? <ErrorScreen error={this.state.error} /> : this.props.children;
  }
}

const ErrorScreen = ({ error }: { error: unknown }) => {
  const isChunk = isChunkLoadError(error);
  useEffect(() => {
    if (isChunk) reloadOnce();
  }, [isChunk]);
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
          <RotateCw />
          Reload
        </Button>
        {/* No Link: an error outside of the pages is also outside of the router. */}
        <a href="/" className="button button-outline button-md">
          Back to Home
        </a>
      </EmptyState>
    </div>
  );
};
