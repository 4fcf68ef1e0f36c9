import { Star, UserX } from 'lucide-react';
import { useState } from 'react';
import { type Deal, listPurchases, listSales, undoPurchase } from '../../../../contract/deals.ts';
import { t } from '../../../../contract/i18n.ts';
import { useApiMutation, useInfiniteApiQuery, useInvalidateQueries } from '../../api/query.ts';
import { useAction } from '../../api/use-action.ts';
import { useSectionLink } from '../../hooks/use-section-link.ts';
import { formatDate } from '../../lib/format.ts';
import { nameOf } from '../../lib/names.ts';
import { SellerBadges } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/feedback.tsx';
import { AlertDialog, lazyOverlay } from '../../ui/lazy-overlays.tsx';
import { EmptyLine, ListSection } from '../../ui/list-section.tsx';
import { PersonLink } from '../../ui/person-link.tsx';
import { Rich } from '../../ui/rich.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { AdTitle, MessageAdThumb } from '../messages/message-ad.tsx';
import { RatingView } from './rating-view.tsx';

const RatingDialog = lazyOverlay(() => import('./rating-dialog.tsx').then((module) => module.RatingDialog));

const DEALS = { query: { limit: '10' } };

const toItem = (deal: Deal) => <DealItem key={deal.id} deal={deal} />;

/** What the user bought. */
export const Purchases = () => (
  <ListSection
    id="purchases"
    title={t('deals.purchases')}
    list={useInfiniteApiQuery(listPurchases, DEALS)}
    skeleton="h-32"
    failureTitle={t('deals.purchasesFailed')}
    empty={<EmptyLine>{t('deals.purchasesNone')}</EmptyLine>}
  >
    {toItem}
  </ListSection>
);

/** What the user sold to a person. */
export const Sales = () => (
  <ListSection
    id="sales"
    title={t('deals.sales')}
    list={useInfiniteApiQuery(listSales, DEALS)}
    skeleton="h-32"
    failureTitle={t('deals.salesFailed')}
    empty={<EmptyLine>{t('deals.salesNone')}</EmptyLine>}
  >
    {toItem}
  </ListSection>
);

const DealItem = ({ deal }: { deal: Deal }) => {
  const { id, role, ad, other, createdAt, ownRating } = deal;
  const [isRating, setRating] = useState(false);
  const anchor = `deal-${id}-ratings`;
  const headingRef = useSectionLink(anchor, true);
  const mayRate = deal.canRate && ownRating === null;
  return (
    <li className="grid gap-3 py-4 first:pt-0 last:pb-0">
      <div className="flex min-w-0 gap-3">
        <MessageAdThumb ad={ad} className="size-14" />
        <div className="min-w-0 grow">
          <h3 ref={headingRef} id={anchor} tabIndex={-1} className="scroll-mt-24 wrap-anywhere">
            <AdTitle ad={ad} />
          </h3>
          <p className="flex flex-wrap items-center gap-x-1 text-sm text-muted-foreground">
            <span>
              <Rich
                text={t(role === 'seller' ? 'deals.soldToOn' : 'deals.boughtFromOn', { date: formatDate(createdAt) })}
                person={() => <PersonLink person={other} className="inline-flex min-h-6 items-center wrap-anywhere" />}
              />
            </span>
            <SellerBadges user={other} />
          </p>
        </div>
      </div>
      <Ratings deal={deal} />
      {mayRate || deal.canUndo ? (
        <div className="flex flex-wrap gap-2">
          {mayRate ? (
            <Button
              variant="outline"
              size="sm"
              aria-label={t('deals.ratePerson', { name: nameOf(other), ad: ad.title })}
              onClick={() => setRating(true)}
            >
              <Star />
              {t('deals.rate')}
            </Button>
          ) : null}
          {deal.canUndo ? <UndoButton deal={deal} /> : null}
        </div>
      ) : null}
      <RatingDialog deal={deal} open={isRating} onOpenChange={setRating} />
    </li>
  );
};

/** What both rated, as far as the user may see it, and what happens next. */
const Ratings = ({ deal: { other, endsAt, canRate, ownRating, otherRating } }: { deal: Deal }) => {
  const name = nameOf(other);
  return (
    <div className="grid gap-3 text-sm empty:hidden">
      {ownRating ? (
        <div className="grid gap-1">
          <p className="text-muted-foreground">{t('deals.yourRating')}</p>
          <RatingView rating={ownRating} />
          {ownRating.isRemoved ? (
            <p className="text-muted-foreground">{t('deals.ratingRemoved')}</p>
          ) : ownRating.isRevealed ? null : (
            <p className="text-muted-foreground">
              <Rich text={t('deals.publicWhen', { date: formatDate(endsAt) })} name={() => <bdi>{name}</bdi>} />
            </p>
          )}
        </div>
      ) : canRate ? (
        <p className="text-muted-foreground">{t('deals.rateUntil', { date: formatDate(endsAt) })}</p>
      ) : null}
      {otherRating ? (
        <div className="grid gap-1">
          <p className="text-muted-foreground">
            <Rich text={t('deals.ratingBy')} name={() => <bdi>{name}</bdi>} />
          </p>
          <RatingView rating={otherRating} />
        </div>
      ) : null}
    </div>
  );
};

const UndoButton = ({ deal: { id, ad, other } }: { deal: Deal }) => {
  const undo = useApiMutation(undoPurchase);
  const invalidate = useInvalidateQueries();
  const toast = useToast();
  const { isBusy, run } = useAction();
  const [isAsking, setAsking] = useState(false);
  const handleConfirm = async () => {
    const isDone = await run(() => undo({ params: { dealId: id } }), t('deals.undoFailed'));
    if (isDone) toast({ title: t('deals.undone') });
    else await invalidate(...undoPurchase.invalidates);
  };
  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        busy={isBusy}
        aria-label={t('deals.notBoughtAd', { ad: ad.title })}
        onClick={() => setAsking(true)}
      >
        {isBusy ? <Spinner /> : <UserX />}
        {t('deals.notBought')}
      </Button>
      <AlertDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('deals.notBoughtQuestion')}
        text={t('deals.notBoughtText', { name: nameOf(other) })}
        confirmLabel={t('deals.notBought')}
        onConfirm={() => void handleConfirm()}
      />
    </>
  );
};
