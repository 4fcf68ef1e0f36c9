import { clsx as cn } from 'clsx';
import { LoaderCircle, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../contract/i18n.ts';

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
    <span className="sr-only">{t('shell.loading')}</span>
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
