import { cn } from '../lib/cn.ts';

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
