import { clsx as cn } from 'clsx';
import { HandCoins } from 'lucide-react';
import { useState } from 'react';
import type { ConversationAction } from '../../../../contract/conversations.ts';
import { t } from '../../../../contract/i18n.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import type { Message, MessageAd, Offer, ThreadMessage } from '../../../../contract/messages.ts';
import { formatPrice } from '../../../../contract/money.ts';
import { acceptOffer, declineOffer, withdrawOffer } from '../../../../contract/offers.ts';
import type { User } from '../../../../contract/user.ts';
import { useApiMutation, useInvalidateQueries } from '../../api/query.ts';
import { useAction } from '../../api/use-action.ts';
import { useFocusFallback } from '../../hooks/use-focus-fallback.ts';
import { nameOf } from '../../lib/names.ts';
import { Button } from '../../ui/button.tsx';
import { AlertDialog, lazyOverlay } from '../../ui/lazy-overlays.tsx';
import { Rich } from '../../ui/rich.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { OfferBadge } from './offer-badge.tsx';

export const OfferDialog = lazyOverlay(() => import('./offer-dialog.tsx').then((module) => module.OfferDialog));

interface OfferCardProps {
  message: ThreadMessage & { offer: Offer };
  ad: MessageAd;
  other: User;
  /** What the reader may do in the conversation. */
  actions: readonly ConversationAction[];
  /** The offer responds to one of the other person. */
  isCounter: boolean;
  /** Shows the message of a reply. */
  showReply: (message: Message) => Promise<unknown>;
}

/** An offer in the thread, and what the reader may do about it. */
export const OfferCard = ({ message, isCounter, ...conversation }: OfferCardProps) => {
  const { offer } = message;
  const { other } = conversation;
  const { amount, status } = offer;
  const isOwn = message.senderId !== other.id;
  // A response removes the buttons.
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const title = isOwn
    ? t(isCounter ? 'messages.yourCounter' : 'messages.yourOffer')
    : t(isCounter ? 'messages.counterOf' : 'messages.offerOf');
  return (
    <div
      {...focusFallback}
      tabIndex={-1}
      data-slot="offer"
      className={cn(
        'grid w-72 max-w-full gap-2 rounded-2xl border bg-card px-3.5 py-3 outline-offset-1',
        isOwn ? 'rounded-se-md' : 'rounded-ss-md',
        status === 'open' ? 'border-primary' : status === 'accepted' ? 'border-success' : 'border-border',
      )}
    >
      <p className="flex min-w-0 items-center gap-1.5 text-sm text-muted-foreground">
        <HandCoins className="size-4 shrink-0" />
        <span className="min-w-0 wrap-anywhere">
          <Rich text={title} name={() => <bdi>{nameOf(other)}</bdi>} />
        </span>
      </p>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <span
          className={cn(
            'text-xl font-semibold tabular-nums',
            status === 'open' || status === 'accepted' || 'text-muted-foreground',
          )}
        >
          {formatPrice(amount)}
        </span>
        <OfferBadge offer={offer} />
      </div>
      {status !== 'open' ? null : isOwn ? (
        <OwnOffer offer={offer} {...conversation} />
      ) : (
        <ReceivedOffer offer={offer} {...conversation} />
      )}
    </div>
  );
};

/** Runs an action on an offer. If the server refuses it, reads what is so now. */
const useOfferAction = () => {
  const toast = useToast();
  const invalidate = useInvalidateQueries();
  const { isBusy, run } = useAction();
  const runOnOffer = async (action: () => Promise<unknown>, done: string): Promise<void> => {
    if (await run(action, t('messages.offerFailed'))) toast({ title: done });
    else await invalidate(...acceptOffer.invalidates);
  };
  return { isBusy, run: (action: () => Promise<unknown>, done: string) => void runOnOffer(action, done) };
};

type OpenOfferProps = Omit<OfferCardProps, 'message' | 'isCounter'> & { offer: Offer };

const OwnOffer = ({ offer, actions, showReply }: OpenOfferProps) => {
  const withdraw = useApiMutation(withdrawOffer);
  const { isBusy, run } = useOfferAction();
  const amount = formatPrice(offer.amount);
  return (
    <div className="flex items-center justify-between gap-3">
      <p className="text-sm text-muted-foreground">{t('messages.noResponse')}</p>
      {actions.includes('withdraw') ? (
        <Button
          variant="outline"
          size="sm"
          busy={isBusy}
          aria-label={t('messages.withdrawOffer', { amount })}
          onClick={() =>
            run(() => withdraw({ params: { id: offer.id } }, showReply), t('messages.withdrew', { amount }))
          }
        >
          {t('messages.withdraw')}
        </Button>
      ) : null}
    </div>
  );
};

const ReceivedOffer = ({ offer, ad, other, actions, showReply }: OpenOfferProps) => {
  const accept = useApiMutation(acceptOffer);
  const decline = useApiMutation(declineOffer);
  const { isBusy, run } = useOfferAction();
  const [open, setOpen] = useState<'accept' | 'decline' | 'counter'>();
  const toOpenProps = (dialog: typeof open) => ({
    open: open === dialog,
    onOpenChange: (isOpen: boolean) => setOpen(isOpen ? dialog : undefined),
  });
  const params = { id: offer.id };
  const amount = formatPrice(offer.amount);
  const name = nameOf(other);
  const isOwner = ad.userId !== other.id;
  const count = LIMITS.reservationDays;
  return (
    <>
      {ad.reservation === 'elsewhere' ? (
        <p className="text-sm text-muted-foreground">{t(isOwner ? 'messages.elsewhereOwner' : 'messages.elsewhere')}</p>
      ) : null}
      <div className="flex flex-wrap gap-1.5 [&_button]:grow [&_button]:basis-16 [&_button]:px-1">
        {actions.includes('accept') ? (
          <Button
            size="sm"
            busy={isBusy}
            aria-label={t('messages.acceptOffer', { amount })}
            onClick={() => setOpen('accept')}
          >
            {t('messages.accept')}
          </Button>
        ) : null}
        {actions.includes('counter') ? (
          <Button
            variant="outline"
            size="sm"
            busy={isBusy}
            aria-label={t('messages.counterOffer', { amount })}
            onClick={() => setOpen('counter')}
          >
            {t('messages.counter')}
          </Button>
        ) : null}
        {actions.includes('decline') ? (
          <Button
            variant="outline"
            size="sm"
            busy={isBusy}
            aria-label={t('messages.declineOffer', { amount })}
            onClick={() => setOpen('decline')}
          >
            {t('messages.decline')}
          </Button>
        ) : null}
      </div>
      <AlertDialog
        {...toOpenProps('accept')}
        title={t('messages.acceptQuestion', { amount })}
        text={isOwner ? t('messages.acceptText', { name, count }) : t('messages.acceptTextYou', { count })}
        confirmLabel={t('messages.accept')}
        confirmVariant="primary"
        onConfirm={() => run(() => accept({ params }, showReply), t('messages.accepted', { amount }))}
      />
      <AlertDialog
        {...toOpenProps('decline')}
        title={t('messages.declineQuestion', { amount })}
        text={t('messages.declineText', { name })}
        confirmLabel={t('messages.decline')}
        onConfirm={() => run(() => decline({ params }, showReply), t('messages.declined', { amount }))}
      />
      <OfferDialog {...toOpenProps('counter')} ad={ad} other={other} countered={offer} showReply={showReply} />
    </>
  );
};
