import { Clock } from 'lucide-react';
import { Link } from 'react-router-dom';
import { t } from '../../../../contract/i18n.ts';
import { formatPrice } from '../../../../contract/money.ts';
import { listNegotiations, type Negotiation } from '../../../../contract/offers.ts';
import { useInfiniteApiQuery } from '../../api/query.ts';
import { formatNearDate } from '../../lib/format.ts';
import { nameOf } from '../../lib/names.ts';
import { Badge } from '../../ui/card.tsx';
import { EmptyLine, ListSection } from '../../ui/list-section.tsx';
import { LocalDate } from '../../ui/local-date.tsx';
import { Rich } from '../../ui/rich.tsx';
import { MessageAdThumb } from '../messages/message-ad.tsx';
import { OfferBadge } from '../offers/offer-badge.tsx';

/** What the user may buy: their offers, those that sellers made them, and what is reserved for them. */
export const Negotiations = () => (
  <ListSection
    id="offers"
    title={t('deals.offers')}
    list={useInfiniteApiQuery(listNegotiations, { query: { limit: '10' } })}
    skeleton="h-32"
    failureTitle={t('deals.offersFailed')}
    empty={<EmptyLine>{t('deals.offersNone')}</EmptyLine>}
  >
    {(negotiation) => <Item key={negotiation.ad.id} {...negotiation} />}
  </ListSection>
);

/** All of it is the link to the conversation. */
const Item = ({ ad, seller, offer }: Negotiation) => (
  <li className="relative flex min-w-0 gap-3 py-4 first:pt-0 last:pb-0">
    <MessageAdThumb ad={ad} className="size-14" />
    <div className="grid min-w-0 grow content-start gap-1">
      <h3 className="font-medium wrap-anywhere">
        <bdi>{ad.title}</bdi>
      </h3>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        {offer ? (
          <>
            <p>
              <Rich
                text={t(offer.isOwn ? 'deals.youOffered' : 'deals.theyOffered')}
                name={() => <bdi>{nameOf(seller)}</bdi>}
                amount={() => <span className="font-semibold tabular-nums">{formatPrice(offer.amount)}</span>}
              />
            </p>
            <OfferBadge offer={offer} />
          </>
        ) : null}
        <AdBadge ad={ad} />
      </div>
      <p className="flex flex-wrap justify-between gap-x-3 text-sm text-muted-foreground">
        <bdi className="wrap-anywhere">{nameOf(seller)}</bdi>
        <Link to={`/messages/${ad.id}/${seller.id}`} className="stretched-link leading-6 text-link">
          {t('messages.viewConversation')}
        </Link>
      </p>
    </div>
  </li>
);

const AdBadge = ({ ad: { isSold, reservation, reservedUntil } }: Pick<Negotiation, 'ad'>) => {
  if (isSold) return <Badge variant="strong">{t('messages.sold')}</Badge>;
  if (reservation === undefined) return null;
  return (
    <Badge variant={reservation === 'own' ? 'accent' : 'strong'}>
      <Clock />
      {reservation === 'own' && reservedUntil ? (
        <span>
          <Rich
            text={t('reservations.forYouUntil')}
            date={() => <LocalDate iso={reservedUntil} format={formatNearDate} />}
          />
        </span>
      ) : (
        t('reservations.reserved')
      )}
    </Badge>
  );
};
