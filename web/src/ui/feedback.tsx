import { clsx as cn } from 'clsx';
import { CircleAlert, LoaderCircle, type LucideIcon, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';

interface EmptyProps {
  icon: LucideIcon;
  title: string;
  text?: ReactNode;
  heading?: 'h1' | 'h2' | 'h3' | 'p';
  className?: string;
  children?: ReactNode;
}

export const EmptyState = ({ icon: Icon, title, text, heading: Heading = 'h2', className, children }: EmptyProps) => (
  <div data-slot="empty" className={cn('flex flex-col items-center gap-3 px-4 py-12 text-center', className)}>
    <span className="flex size-14 items-center justify-center rounded-full bg-muted text-muted-foreground">
      <Icon className="size-6" />
    </span>
    <Heading className="card-heading">{title}</Heading>
    {text ? <p className="max-w-[44ch] text-muted-foreground">{text}</p> : null}
    {children ? <div className="mt-2 flex flex-wrap justify-center gap-3">{children}</div> : null}
  </div>
);

/** An EmptyState that is a whole page. */
export const EmptyPage = (props: Omit<EmptyProps, 'heading'>) => (
  <div className="container-page py-16">
    <EmptyState heading="h1" {...props} />
  </div>
);

interface ErrorStateProps {
  title: string;
  onRetry: () => void;
  /** Earlier data stays on screen: only a strip above it says that the refresh failed. */
  isAbove?: boolean;
}

export const ErrorState = ({ title, onRetry, isAbove }: ErrorStateProps) =>
  isAbove ? (
    <p
      role="alert"
      className="mb-4 flex flex-wrap items-center gap-x-3 rounded-control bg-warning-soft px-4 py-2 text-sm text-warning"
    >
      {title}. What you see may be out of date.
      <Button variant="link" size="inline" onClick={onRetry}>
        Try again
      </Button>
    </p>
  ) : (
    <div role="alert">
      <EmptyState icon={CircleAlert} title={title} heading="p">
        <Button variant="outline" onClick={onRetry}>
          <RotateCw />
          Try again
        </Button>
      </EmptyState>
    </div>
  );

export const Skeleton = ({ className }: { className?: string }) => (
  <div data-slot="skeleton" className={cn('skeleton', className)} />
);

interface SkeletonRegionProps {
  className?: string;
  /** The class of each box, in place of children. */
  boxes?: string[];
  children?: ReactNode;
}

/** Wraps the skeletons of a region. Announces "Loading..." once and hides the boxes from assistive technology. */
export const SkeletonRegion = ({ className, boxes = [], children }: SkeletonRegionProps) => (
  <div role="status" aria-busy="true">
    <span className="sr-only">Loading...</span>
    <div aria-hidden="true" className={className}>
      {boxes.map((box, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are never reordered
        <Skeleton key={index} className={box} />
      ))}
      {children}
    </div>
  </div>
);

export const PageSkeleton = () => (
  <SkeletonRegion
    className="container-page grid gap-6 py-10"
    boxes={['h-10 w-64', 'h-40 w-full rounded-card', 'h-40 w-full rounded-card']}
  />
);

export const Spinner = ({ className }: { className?: string }) => (
  <LoaderCircle data-slot="spinner" className={cn('spinner', className)} />
);
