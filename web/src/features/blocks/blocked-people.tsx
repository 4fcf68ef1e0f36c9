import { listBlocks } from '../../../../contract/blocks.ts';
import { useInfiniteApiQuery } from '../../api/query.ts';
import { useFocusFallback } from '../../hooks/use-focus-fallback.ts';
import { formatDate } from '../../lib/format.ts';
import { Avatar, PersonLink } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { SkeletonRegion } from '../../ui/feedback.tsx';
import { LoadMoreButton } from '../../ui/load-more-button.tsx';
import { UnblockButton } from './block-button.tsx';

const PAGE_SIZE = '10';

/** A section of Edit Profile. `onLeave` is called when a link leads away from it. */
export const BlockedPeople = ({ onLeave }: { onLeave: () => void }) => {
  const list = useInfiniteApiQuery(listBlocks, { query: { limit: PAGE_SIZE } });
  const focusFallback = useFocusFallback<HTMLElement>();
  return (
    <section {...focusFallback} tabIndex={-1} aria-labelledby="blocked-people">
      <h3 id="blocked-people" className="mb-2 font-semibold">
        Blocked people
      </h3>
      {list.items ? (
        list.items.length === 0 ? (
          <p className="text-sm text-muted-foreground">
            You have not blocked anyone. You can block a person on their profile or in a conversation.
          </p>
        ) : (
          <ul className="divide-y divide-border">
            {list.items.map(({ user, createdAt }) => (
              <li key={user.id} className="flex items-center gap-3 py-2">
                <Avatar src={user.avatar} name={user.displayName} />
                <div className="min-w-0 grow text-sm">
                  <p className="truncate font-medium">
                    <PersonLink person={user} onClick={onLeave} />
                  </p>
                  <p className="text-muted-foreground">
                    {user.username ? <span className="block truncate">@{user.username}</span> : null}
                    Blocked since {formatDate(createdAt)}
                  </p>
                </div>
                <UnblockButton person={user} />
              </li>
            ))}
          </ul>
        )
      ) : list.error ? (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          <p role="alert">Failed to load the people whom you blocked.</p>
          <Button variant="link" size="inline" className="min-h-6" onClick={list.retry}>
            Try again
          </Button>
        </div>
      ) : (
        <SkeletonRegion boxes={['h-12']} />
      )}
      <LoadMoreButton list={list} />
    </section>
  );
};
