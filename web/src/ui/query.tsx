import { clsx as cn } from 'clsx';
import { CircleAlert, RotateCw } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { t } from '../../../contract/i18n.ts';
import { useIsOffline } from '../lib/online.ts';
import { PageTitle } from '../lib/site-config.tsx';
import { Button } from './button.tsx';
import { EmptyState } from './feedback.tsx';

/** The part of the result of a query hook that `Query` reads. */
export interface QueryState<T, E = unknown> {
  data: T | undefined;
  error?: E | undefined;
  isLoading?: boolean;
  mutate: () => Promise<unknown>;
}

interface QueryProps<T, E> {
  of: QueryState<T, E>;
  loading: ReactNode;
  /** The title of the failure. An element stands in for the data without a word, if the page says elsewhere what failed. */
  failure: string | ReactElement;
  /** `page`: the failure names the page, too. `line`: it is one line of a section. */
  size?: 'page' | 'section' | 'line';
  /** What an error shows that is an answer, such as 404. It replaces data that was read before. */
  refusal?: (error: E) => ReactNode | undefined;
  /** Shown for an empty list. */
  empty?: ReactNode;
  children: (data: T) => ReactNode;
}

/** Shows what a query has: data first, beside the failure of its last read; else the failure; else that it loads. */
export const Query = <T, E>({ of, loading, failure, size, refusal, empty, children }: QueryProps<T, E>) => {
  const { data, error, mutate } = of;
  const refused = error && refusal?.(error);
  if (refused) return refused;
  const isKnown = data !== undefined;
  const failed =
    error &&
    (typeof failure === 'string' ? (
      <Failure title={failure} size={size} isStale={isKnown} onRetry={() => void mutate()} />
    ) : isKnown ? null : (
      failure
    ));
  if (!isKnown) return failed ?? loading;
  return (
    <>
      {failed}
      {empty !== undefined && (data as { length?: number }).length === 0 ? empty : children(data)}
    </>
  );
};

/** Attributes of the element around a query: busy while it loads, and paler while its data is that of another target. */
export const toBusyProps = ({ data, isLoading }: QueryState<unknown>, className?: string) => ({
  'aria-busy': isLoading || undefined,
  className: cn('transition-opacity', data !== undefined && isLoading && 'opacity-55', className),
});

interface FailureProps extends Pick<QueryProps<unknown, unknown>, 'size'> {
  title: string;
  /** Earlier data stays on screen: only a strip above it says that the read failed. */
  isStale: boolean;
  onRetry: () => void;
}

const Failure = ({ title: failure, size, isStale, onRetry }: FailureProps) => {
  const title = useIsOffline() ? t('shell.offlineTitle') : failure;
  return isStale || size === 'line' ? (
    <p
      role="alert"
      className={cn(
        'flex flex-wrap items-center gap-x-3 text-sm',
        isStale && 'mb-4 rounded-control bg-warning-soft px-4 py-2 text-warning',
      )}
    >
      {isStale ? t('shell.outOfDate', { failure: title }) : `${title}.`}
      <Button variant="link" size="inline" onClick={onRetry}>
        {t('shell.tryAgain')}
      </Button>
    </p>
  ) : (
    <div role="alert">
      <PageTitle title={size === 'page' ? title : undefined} />
      <EmptyState icon={CircleAlert} title={title} heading="p">
        <Button variant="outline" onClick={onRetry}>
          <RotateCw />
          {t('shell.tryAgain')}
        </Button>
      </EmptyState>
    </div>
  );
};
