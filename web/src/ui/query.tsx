import { clsx as cn } from 'clsx';
import { CircleAlert, RotateCw } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
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
  const refused = error === undefined ? undefined : refusal?.(error);
  if (refused !== undefined) return refused;
  const isKnown = data !== undefined;
  const failed =
    error === undefined ? null : typeof failure === 'string' ? (
      <Failure title={failure} size={isKnown ? 'stale' : size} onRetry={() => void mutate()} />
    ) : isKnown ? null : (
      failure
    );
  if (!isKnown) return failed ?? loading;
  return (
    <>
      {failed}
      {empty !== undefined && Array.isArray(data) && data.length === 0 ? empty : children(data)}
    </>
  );
};

/** Attributes of the element around a query: busy while it loads, and paler while its data is that of another target. */
export const toBusyProps = ({ data, error, isLoading }: QueryState<unknown>, className?: string) => ({
  'aria-busy': isLoading || (data === undefined && error === undefined) || undefined,
  className: cn('transition-opacity', data !== undefined && isLoading && 'opacity-55', className),
});

interface FailureProps {
  title: string;
  size: QueryProps<unknown, unknown>['size'] | 'stale';
  onRetry: () => void;
}

const Failure = ({ title, size, onRetry }: FailureProps) =>
  size === 'stale' || size === 'line' ? (
    <p
      role="alert"
      className={cn(
        'flex flex-wrap items-center gap-x-3 text-sm',
        size === 'stale' ? 'mb-4 rounded-control bg-warning-soft px-4 py-2 text-warning' : 'gap-y-1',
      )}
    >
      {size === 'stale' ? `${title}. What you see may be out of date.` : `${title}.`}
      <Button variant="link" size="inline" className="min-h-6" onClick={onRetry}>
        Try again
      </Button>
    </p>
  ) : (
    <div role="alert">
      {size === 'page' ? <PageTitle title={title} /> : null}
      <EmptyState icon={CircleAlert} title={title} heading="p">
        <Button variant="outline" onClick={onRetry}>
          <RotateCw />
          Try again
        </Button>
      </EmptyState>
    </div>
  );
