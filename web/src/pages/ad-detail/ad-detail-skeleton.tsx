import { Skeleton, SkeletonRegion } from '../../ui/skeleton.tsx';

export const AdDetailSkeleton = () => (
  <SkeletonRegion className="container-page grid gap-6 py-6 lg:grid-cols-12 lg:gap-10">
    <Skeleton className="h-10 w-24 lg:col-span-12" />
    <Skeleton className="aspect-4/3 w-full rounded-card lg:col-span-7" />
    <div className="grid content-start gap-4 lg:col-span-5">
      <Skeleton className="h-6 w-40" />
      <Skeleton className="h-9 w-4/5" />
      <Skeleton className="h-9 w-32" />
      <Skeleton className="h-12 w-full" />
      <Skeleton className="h-40 w-full" />
      <Skeleton className="h-32 w-full rounded-card" />
    </div>
  </SkeletonRegion>
);
