import { Skeleton, SkeletonRegion } from './skeleton.tsx';

/** A page of which nothing is known yet: a heading and a few blocks. */
export const PageSkeleton = () => (
  <SkeletonRegion className="container-page grid gap-6 py-10">
    <Skeleton className="h-10 w-64" />
    <Skeleton className="h-40 w-full rounded-card" />
    <Skeleton className="h-40 w-full rounded-card" />
  </SkeletonRegion>
);
