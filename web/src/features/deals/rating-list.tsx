import { MessageCircleReply, Star } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { LIMITS } from '../../../../contract/limits.ts';
import { listRatings, type Rating } from '../../../../contract/ratings.ts';
import type { User } from '../../../../contract/user.ts';
import { useInfiniteApiQuery } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { useFocusFallback } from '../../hooks/use-focus-fallback.ts';
import { useSectionLink } from '../../hooks/use-section-link.ts';
import { formatDate } from '../../lib/format.ts';
import { Avatar, SellerBadges } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../ui/feedback.tsx';
import { lazyOverlay } from '../../ui/lazy-overlays.tsx';
import { LoadMoreButton } from '../../ui/load-more-button.tsx';
import { ReportButton } from '../reports/report-button.tsx';
import { RatingView } from './rating-view.tsx';

const ReplyDialog = lazyOverlay(() => import('./reply-dialog.tsx').then((module) => module.ReplyDialog));

const ID = 'ratings';
const PAGE_SIZE = '10';

/** The public ratings of a person, on their profile. */
export const RatingList = ({ user }: { user: User }) => {
  const list = useInfiniteApiQuery(
    listRatings,
    { params: { id: user.id }, query: { limit: PAGE_SIZE } },
    { revalidateOnMount: true },
  );
  const headingRef = useSectionLink(ID, list.items !== undefined);
  const focusFallback = useFocusFallback<HTMLElement>();
  return (
    <section {...focusFallback} tabIndex={-1} aria-labelledby={ID}>
      <h2 ref={headingRef} id={ID} tabIndex={-1} className="mb-3 w-fit scroll-mt-24 section-heading">
        Ratings
      </h2>
      {list.items ? (
        list.items.length === 0 ? (
          <EmptyState
            icon={Star}
            heading="h3"
            title="No ratings yet"
            text={`After a sale, buyer and seller can rate each other. Ratings appear here when both have rated, or after ${LIMITS.ratingDays} days.`}
          />
        ) : (
          <Card>
            <ul className="divide-y divide-border">
              {list.items.map((rating) => (
                <RatingItem key={rating.id} rating={rating} user={user} />
              ))}
            </ul>
            <LoadMoreButton list={list} />
          </Card>
        )
      ) : list.error ? (
        <ErrorState title="Failed to load the ratings" onRetry={list.retry} />
      ) : (
        <SkeletonRegion>
          <Skeleton className="h-32" />
        </SkeletonRegion>
      )}
    </section>
  );
};

const RatingItem = ({ rating, user }: { rating: Rating; user: User }) => {
  const { id, rater, role, createdAt, reply, repliedAt } = rating;
  const { user: me } = useSession();
  const [isReplying, setReplying] = useState(false);
  const mayReply = me?.id === user.id && reply === null;
  const isOwn = me?.id === rater.id;
  return (
    <li className="grid gap-3 py-4 first:pt-0 last:pb-0">
      <div className="flex items-center gap-3">
        <Avatar src={rater.avatar} name={rater.displayName} />
        <div className="min-w-0 grow text-sm">
          <h3 className="flex flex-wrap items-center gap-x-1.5 font-medium">
            {rater.username ? (
              <Link
                to={`/users/${rater.username}`}
                className="inline-flex min-h-6 items-center wrap-anywhere hover:underline"
              >
                <bdi>{rater.displayName}</bdi>
              </Link>
            ) : (
              <bdi className="wrap-anywhere">{rater.displayName}</bdi>
            )}
            <SellerBadges user={rater} />
          </h3>
          <p className="text-muted-foreground">
            {role === 'seller' ? 'Seller' : 'Buyer'} · {formatDate(createdAt)}
          </p>
        </div>
        {isOwn ? null : (
          <ReportButton
            target={{ type: 'rating', id, name: rater.displayName }}
            size="icon"
            className="self-start border-transparent"
          />
        )}
      </div>
      <RatingView rating={rating} />
      {reply === null ? null : (
        <div className="grid gap-1 rounded-control bg-muted p-3 text-sm">
          <p className="text-muted-foreground">
            Reply by <bdi>{user.displayName}</bdi>
            {repliedAt ? ` · ${formatDate(repliedAt)}` : null}
          </p>
          <p dir="auto" className="wrap-anywhere whitespace-pre-line">
            {reply}
          </p>
        </div>
      )}
      {mayReply ? (
        <div>
          <Button
            variant="outline"
            size="sm"
            aria-label={`Reply to the rating by ${rater.displayName}`}
            onClick={() => setReplying(true)}
          >
            <MessageCircleReply />
            Reply
          </Button>
          <ReplyDialog rating={rating} open={isReplying} onOpenChange={setReplying} />
        </div>
      ) : null}
    </li>
  );
};
