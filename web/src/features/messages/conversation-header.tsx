import { clsx as cn } from 'clsx';
import { ArrowLeft } from 'lucide-react';
import { t } from '../../../../contract/i18n.ts';
import type { MessageAd } from '../../../../contract/messages.ts';
import { formatPrice } from '../../../../contract/money.ts';
import { PRICE_TYPES, toAmountText, toPriceText } from '../../../../contract/prices.ts';
import type { User } from '../../../../contract/user.ts';
import { SellerBadges } from '../../ui/avatar.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Badge } from '../../ui/card.tsx';
import { PersonLink } from '../../ui/person-link.tsx';
import { SellerFacts } from '../../ui/seller-facts.tsx';
import { PersonActions } from '../blocks/person-actions.tsx';
import { AdTitle, MessageAdThumb } from './message-ad.tsx';

export const BackToMessages = () => (
  <LinkButton to="/messages" variant="ghost" size="icon" aria-label={t('messages.backToMessages')}>
    <ArrowLeft className="size-5" />
  </LinkButton>
);

interface ConversationHeaderProps {
  ad: MessageAd;
  other: User | null;
  isBlocked: boolean;
  agreedPrice?: string | null | undefined;
}

/** The person and the ad of a conversation. */
export const ConversationHeader = ({ ad, other, isBlocked, agreedPrice }: ConversationHeaderProps) => (
  <div className="flex min-w-0 grow items-center gap-3">
    {/* where a phone shows text at twice the size, the name needs its room */}
    <MessageAdThumb ad={ad} className="hidden size-11 min-[15rem]:block lg:size-14" />
    <div className="min-w-0 grow">
      {other ? (
        <p className="flex items-center gap-1 max-[15rem]:flex-wrap">
          <PersonLink person={other} className="truncate leading-6 font-medium" />
          <SellerBadges user={{ ...other, rating: undefined }} />
        </p>
      ) : null}
      <p className="flex items-center gap-2 text-sm text-muted-foreground max-[15rem]:flex-wrap">
        <AdTitle ad={ad} dir="auto" className="truncate leading-6" />
        {ad.isDeleted ? null : (
          <span className={cn('shrink-0 font-semibold tabular-nums', ad.isSold && 'max-sm:hidden')}>
            {agreedPrice ? t('messages.agreed', { price: formatPrice(agreedPrice) }) : <Price ad={ad} />}
          </span>
        )}
        {ad.isSold ? <Badge variant="strong">{t('messages.sold')}</Badge> : null}
        {ad.isPaused ? <Badge variant="neutral">{t('messages.paused')}</Badge> : null}
      </p>
      {/* On a phone, those that fit into one line. */}
      {other ? <SellerFacts user={other} className="text-xs max-lg:h-4 max-lg:overflow-hidden" /> : null}
    </div>
    {other ? <PersonActions person={other} isBlocked={isBlocked} /> : null}
  </div>
);

/** On a phone, the title needs the room of "or best offer". */
const Price = ({ ad }: { ad: MessageAd }) =>
  ad.priceType === 'negotiable' ? (
    <>
      {toAmountText(ad)} <span className="max-md:sr-only">{PRICE_TYPES.negotiable}</span>
    </>
  ) : (
    toPriceText(ad)
  );
