import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Conversation } from '../../../../contract/conversations.ts';
import { t } from '../../../../contract/i18n.ts';
import type { MessageAd } from '../../../../contract/messages.ts';
import type { User } from '../../../../contract/user.ts';
import { useFocusFallback } from '../../hooks/use-focus-fallback.ts';
import { nameOf } from '../../lib/names.ts';
import { Button } from '../../ui/button.tsx';
import { Badge } from '../../ui/card.tsx';
import { lazyOverlay } from '../../ui/lazy-overlays.tsx';
import { Rich } from '../../ui/rich.tsx';
import { ReservationLine } from '../offers/reservation.tsx';

const SellDialog = lazyOverlay(() => import('../ads/sale/sell-dialog.tsx').then((module) => module.SellDialog));

type Deal = NonNullable<Conversation['deal']>;

/** The sale of the ad between the two, and where they rate each other. */
const DealLine = ({ deal, other }: { deal: Deal; other: User }) => (
  <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
    <Badge variant="accent" className="min-w-0 whitespace-normal">
      <span>
        <Rich
          text={t(deal.role === 'seller' ? 'messages.soldTo' : 'messages.boughtFrom')}
          name={() => <bdi>{nameOf(other)}</bdi>}
        />
      </span>
    </Badge>
    <Link to={`/dashboard#deal-${deal.id}-ratings`} className="inline-flex min-h-11 items-center text-link md:min-h-6">
      {deal.canRate ? (
        <span>
          <Rich text={t('messages.rate')} name={() => <bdi>{nameOf(other)}</bdi>} />
        </span>
      ) : (
        t('messages.ratings')
      )}
    </Link>
  </p>
);

/** The sale changes the conversation, which loads again. */
const ignore = () => {};

const SellButton = ({ ad, other }: { ad: MessageAd; other: User }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="outline" size="sm" onClick={() => setOpen(true)}>
        <CircleCheck /> {t('messages.markSold')}
      </Button>
      <SellDialog ad={{ ...ad, reservedFor: other }} open={isOpen} onOpenChange={setOpen} onChange={ignore} />
    </>
  );
};

/** How far the two are with the sale, and the next step. */
export const DealBar = ({ conversation }: { conversation: Conversation }) => {
  const { ad, other, deal, actions, agreedPrice } = conversation;
  const focusFallback = useFocusFallback<HTMLDivElement>();
  if (!ad || !other) return null;
  return (
    <div
      {...focusFallback}
      tabIndex={-1}
      className="border-t border-border px-3 py-2 outline-none empty:hidden lg:px-4"
    >
      <ReservationLine ad={ad} other={other} actions={actions} agreedPrice={agreedPrice}>
        {actions.includes('sell') ? <SellButton ad={ad} other={other} /> : null}
      </ReservationLine>
      {deal && ad.isSold ? <DealLine deal={deal} other={other} /> : null}
    </div>
  );
};
