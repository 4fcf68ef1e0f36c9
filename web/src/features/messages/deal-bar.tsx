import { Link } from 'react-router-dom';
import type { Conversation } from '../../../../contract/conversations.ts';
import type { User } from '../../../../contract/user.ts';
import { Badge } from '../../ui/card.tsx';
import { ReservationLine } from '../offers/reservation.tsx';

type Deal = NonNullable<Conversation['deal']>;

/** The sale of the ad between the two, and where they rate each other. */
const DealLine = ({ deal, other }: { deal: Deal; other: User }) => (
  <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
    <Badge variant="accent" className="min-w-0 whitespace-normal">
      <span>
        {deal.role === 'seller' ? 'Sold to' : 'Bought from'} <bdi>{other.displayName}</bdi>
      </span>
    </Badge>
    <Link to={`/dashboard#deal-${deal.id}-ratings`} className="inline-flex min-h-6 items-center text-link">
      {deal.canRate ? 'Rate' : 'Ratings'}
    </Link>
  </p>
);

/** How far the two are with the sale, and the next step. */
export const DealBar = ({ conversation: { ad, other, deal, actions } }: { conversation: Conversation }) =>
  ad && other ? (
    <div className="border-t border-border px-3 py-2 empty:hidden lg:px-4">
      <ReservationLine ad={ad} other={other} actions={actions} />
      {deal && ad.isSold ? <DealLine deal={deal} other={other} /> : null}
    </div>
  ) : null;
