import type { ReactNode } from 'react';
import { useFocusFallback } from '../hooks/use-focus-fallback.ts';
import { useSectionLink } from '../hooks/use-section-link.ts';
import { Card } from './card.tsx';
import { SkeletonRegion } from './feedback.tsx';
import { LoadMoreButton, type MoreList } from './load-more-button.tsx';
import { Query, type QueryState } from './query.tsx';

interface ListSectionProps<Item> {
  /** The fragment of the page's address that leads here. */
  id: string;
  title: string;
  /** The result of `useInfiniteApiQuery`, or of `useApiQuery` for a list without pages. */
  list: QueryState<Item[]> & (MoreList | { hasMore?: never });
  skeleton: string;
  failureTitle: string;
  /** An EmptyLine, in place of the card. */
  empty: ReactNode;
  children: (item: Item) => ReactNode;
}

/** A section of a page with a list in a card. `children` renders an item. */
export const ListSection = <Item,>({ id, title, list, children, ...texts }: ListSectionProps<Item>) => {
  const focusFallback = useFocusFallback<HTMLElement>();
  const headingRef = useSectionLink(id, list.data !== undefined);
  return (
    <section {...focusFallback} tabIndex={-1} aria-labelledby={id} className="min-w-0">
      <h2 ref={headingRef} id={id} tabIndex={-1} className="mb-3 w-fit scroll-mt-24 section-heading">
        {title}
      </h2>
      <Query
        of={list}
        failure={texts.failureTitle}
        loading={<SkeletonRegion boxes={[texts.skeleton]} />}
        empty={texts.empty}
      >
        {(items) => (
          <Card>
            <ul className="divide-y divide-border">{items.map(children)}</ul>
            {list.hasMore === undefined ? null : <LoadMoreButton list={list} />}
          </Card>
        )}
      </Query>
    </section>
  );
};

/** What an empty section says. */
export const EmptyLine = ({ children }: { children: ReactNode }) => (
  <p className="text-sm text-muted-foreground">{children}</p>
);
