import { MessageCircleReply, Star } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../../../contract/i18n.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { listRatings, type Rating } from '../../../../contract/ratings.ts';
import type { User } from '../../../../contract/user.ts';
import { useInfiniteApiQuery } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { formatDate } from '../../lib/format.ts';
import { nameOf } from '../../lib/names.ts';
import { Avatar, SellerBadges } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/feedback.tsx';
import { lazyOverlay } from '../../ui/lazy-overlays.tsx';
import { ListSection } from '../../ui/list-section.tsx';
import { PersonLink } from '../../ui/person-link.tsx';
import { Rich } from '../../ui/rich.tsx';
import { ReportButton } from '../reports/report-button.tsx';
import { RatingView } from './rating-view.tsx';

const ReplyDialog = lazyOverlay(() => import('./reply-dialog.tsx').then((module) => module.ReplyDialog));

const PAGE_SIZE = '10';

/** The public ratings of a person, on their profile. */
export const RatingList = ({ user }: { user: User }) => (
  <ListSection
    id="ratings"
    title={t('deals.ratings')}
    list={useInfiniteApiQuery(listRatings, { params: { id: user.id }, query: { limit: PAGE_SIZE } })}
    skeleton="h-32"
    failureTitle={t('deals.ratingsFailed')}
    empty={
      <EmptyState
        icon={Star}
        heading="h3"
        title={t('deals.ratingsNone')}
        text={t('deals.ratingsNoneText', { count: LIMITS.ratingDays })}
      />
    }
  >
    {(rating) => <RatingItem key={rating.id} rating={rating} user={user} />}
  </ListSection>
);

const RatingItem = ({ rating, user }: { rating: Rating; user: User }) => {
  const { id, rater, role, createdAt, reply, repliedAt } = rating;
  const { user: me } = useSession();
  const [isReplying, setReplying] = useState(false);
  const mayReply = me?.id === user.id && reply === null;
  const isOwn = me?.id === rater.id;
  return (
    <li className="grid gap-3 py-4 first:pt-0 last:pb-0">
      <div className="flex items-center gap-3">
        <Avatar src={rater.avatar} name={nameOf(rater)} />
        <div className="min-w-0 grow text-sm">
          <h3 className="flex flex-wrap items-center gap-x-1.5 font-medium">
            <PersonLink person={rater} className="inline-flex min-h-6 items-center wrap-anywhere" />
            <SellerBadges user={rater} />
          </h3>
          <p className="text-muted-foreground">
            {t(role === 'seller' ? 'deals.seller' : 'deals.buyer')} · {formatDate(createdAt)}
          </p>
        </div>
        {isOwn ? null : (
          <ReportButton
            target={{ type: 'rating', id, name: nameOf(rater) }}
            size="icon"
            className="self-start border-transparent"
          />
        )}
      </div>
      <RatingView rating={rating} />
      {reply === null ? null : (
        <div className="grid gap-1 rounded-control bg-muted p-3 text-sm">
          <p className="text-muted-foreground">
            <Rich text={t('deals.replyBy')} name={() => <bdi>{user.displayName}</bdi>} />
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
            aria-label={t('deals.replyTo', { name: nameOf(rater) })}
            onClick={() => setReplying(true)}
          >
            <MessageCircleReply />
            {t('deals.reply')}
          </Button>
          <ReplyDialog rating={rating} open={isReplying} onOpenChange={setReplying} />
        </div>
      ) : null}
    </li>
  );
};
