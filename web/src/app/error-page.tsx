import { CircleAlert, RotateCw } from 'lucide-react';
import { Component, type ReactNode, useEffect } from 'react';
import { useRouteError } from 'react-router-dom';
import { t } from '../../../contract/i18n.ts';
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
        title={isChunk ? t('shell.pageNotLoaded') : t('shell.pageFailed')}
        text={isChunk ? t('shell.pageNotLoadedText') : t('shell.pageFailedText')}
      >
        <Button onClick={() => location.reload()}>
          <RotateCw />
          {t('shell.reload')}
        </Button>
        {/* No Link: an error outside of the pages is also outside of the router. */}
        <a href="/" className="button button-outline button-md">
          {t('shell.backToHome')}
        </a>
      </EmptyState>
    </div>
  );
};
