import { CircleAlert, LoaderCircle, type LucideIcon, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '../lib/cn.ts';
import { Button } from './button.tsx';

interface EmptyProps {
  icon: LucideIcon;
  title: string;
  text?: ReactNode;
  heading?: 'h1' | 'h2' | 'h3' | 'p';
  className?: string;
  children?: ReactNode;
}

/** What stands where there is nothing to show: an icon, a sentence, one thing to do. */
export const EmptyState = ({ icon: Icon, title, text, heading: Heading = 'h2', className, children }: EmptyProps) => (
  <div data-slot="empty" className={cn('flex flex-col items-center gap-3 px-4 py-12 text-center', className)}>
    <span className="flex size-14 items-center justify-center rounded-full bg-muted text-muted-foreground">
      <Icon aria-hidden="true" className="size-6" />
    </span>
    <Heading className="text-lg font-semibold">{title}</Heading>
    {text ? <p className="max-w-[44ch] text-muted-foreground">{text}</p> : null}
    {children ? <div className="mt-2 flex flex-wrap justify-center gap-3">{children}</div> : null}
  </div>
);

/** The same for a failure, with a way to try again. */
export const ErrorState = ({ title, text, onRetry }: { title: string; text?: string; onRetry?: () => void }) => (
  <div role="alert">
    <EmptyState icon={CircleAlert} title={title} text={text} heading="p">
      {onRetry ? (
        <Button variant="outline" onClick={onRetry}>
          <RotateCw aria-hidden="true" />
          Try again
        </Button>
      ) : null}
    </EmptyState>
  </div>
);

/** A grey box in the place and size of what is being loaded. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div data-slot="skeleton" className={cn('animate-skeleton rounded-control bg-muted', className)} />
);

/** Wraps the boxes of a region: says "Loading..." once, hides the boxes themselves from assistive technology. */
export const SkeletonRegion = ({ className, children }: { className?: string; children: React.ReactNode }) => (
  <div role="status" aria-busy="true">
    <span className="sr-only">Loading...</span>
    <div aria-hidden="true" className={className}>
      {children}
    </div>
  </div>
);

/** A page of which nothing is known yet: a heading and a few blocks. */
export const PageSkeleton = () => (
  <SkeletonRegion className="container-page grid gap-6 py-10">
    <Skeleton className="h-10 w-64" />
    <Skeleton className="h-40 w-full rounded-card" />
    <Skeleton className="h-40 w-full rounded-card" />
  </SkeletonRegion>
);

/** A turning circle; whoever shows it says in words what is being waited for. */
export const Spinner = ({ className }: { className?: string }) => (
  <LoaderCircle data-slot="spinner" aria-hidden="true" className={cn('animate-spin', className ?? 'size-4')} />
);
