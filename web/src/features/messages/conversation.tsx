import { HandCoins, MessageCircle } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import type { ConversationAction, Conversation as ConversationState } from '../../../../contract/conversations.ts';
import type { Message, MessageAd } from '../../../../contract/messages.ts';
import { toPriceText } from '../../../../contract/prices.ts';
import type { Me, User } from '../../../../contract/user.ts';
import { hasStatus } from '../../api/client.ts';
import { useFocusFallback } from '../../hooks/use-focus-fallback.ts';
import { draftKey } from '../../lib/draft.ts';
import { PersonLink, SellerBadges } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Badge } from '../../ui/card.tsx';
import { EmptyState, SkeletonRegion } from '../../ui/feedback.tsx';
import { Query } from '../../ui/query.tsx';
import { UnblockButton } from '../blocks/block-button.tsx';
import { PersonActions } from '../blocks/person-actions.tsx';
import { OfferDialog } from '../offers/offer-card.tsx';
import { ReservationLine } from '../offers/reservation.tsx';
import { Composer, NARROW } from './composer.tsx';
import type { ConversationKey } from './loaded-conversation.ts';
import { AdTitle, MessageAdThumb } from './message-ad.tsx';
import { Thread } from './thread.tsx';
import { useConversation } from './use-conversation.ts';

interface ConversationProps extends ConversationKey {
  user: Me;
  everyMs: number;
}

export const Conversation = ({ adId, otherUserId, user, everyMs }: ConversationProps) => (
  <ConversationView
    adId={adId}
    otherUserId={otherUserId}
    user={user}
    state={useConversation({ adId, otherUserId }, user.id, everyMs)}
  />
);

const FIRST_MESSAGES = ['Is this still available?', 'Can I pick it up today?', 'Where can we meet?'];

interface ConversationViewProps extends ConversationKey {
  user: Me;
  state: ReturnType<typeof useConversation>;
}

/** The messages, and what sends. */
export const ConversationView = ({ adId, otherUserId, user, state }: ConversationViewProps) => {
  const { query, pending, isSending, send } = state;
  // Unblock disappears when it has worked.
  const focusFallback = useFocusFallback<HTMLDivElement>();

  const show = (conversation: ConversationState) => {
    const { ad, other, messages, actions, isBlocked, reason } = conversation;
    const canSend = actions.includes('send');
    const isEmpty = messages.length === 0 && pending.length === 0;
    const unblock = isBlocked ? (
      <UnblockButton person={{ id: otherUserId, displayName: other?.displayName ?? 'this person' }} />
    ) : null;
    return (
      <div className="grid gap-4">
        {isEmpty ? (
          canSend ? (
            <p className="rounded-control bg-surface p-4 text-center text-muted-foreground">
              Say hello: ask about the condition, the price or where to meet.
            </p>
          ) : null
        ) : (
          <Thread {...state} conversation={conversation} userId={user.id} />
        )}
        <div {...focusFallback} tabIndex={-1}>
          {canSend ? (
            <Composer
              draftKey={draftKey(user.id, `message:${adId}:${otherUserId}`)}
              proposals={isEmpty ? FIRST_MESSAGES : undefined}
              isSending={isSending}
              onSend={(content) => send(content, messages.at(-1)?.id ?? '0')}
            >
              {ad && other && actions.includes('offer') ? (
                <OfferButton ad={ad} other={other} showReply={state.showReply} />
              ) : null}
            </Composer>
          ) : isEmpty ? (
            <NoMessages reason={ad && reason}>{unblock}</NoMessages>
          ) : (
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-control bg-muted p-3">
              <p className="text-sm text-muted-foreground">
                {reason ?? 'You can no longer write in this conversation.'}
              </p>
              {unblock}
            </div>
          )}
        </div>
      </div>
    );
  };
  return (
    <Query
      of={query}
      failure="Failed to fetch messages"
      refusal={(error) => (hasStatus(error, 404) ? <NoMessages /> : undefined)}
      loading={<ThreadSkeleton />}
    >
      {show}
    </Query>
  );
};

interface OfferButtonProps {
  ad: MessageAd;
  other: User;
  showReply: (message: Message) => Promise<unknown>;
}

const OfferButton = ({ ad, other, showReply }: OfferButtonProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="outline" className={NARROW} onClick={() => setOpen(true)}>
        <HandCoins />
        Make an Offer
      </Button>
      <OfferDialog ad={ad} other={other} showReply={showReply} open={isOpen} onOpenChange={setOpen} />
    </>
  );
};

/** Shown for an empty conversation that accepts no messages. `reason` says why, if the user may see the ad. */
const NoMessages = ({ reason, children }: { reason?: string | null; children?: ReactNode }) => (
  <EmptyState
    icon={MessageCircle}
    title="No messages found"
    text={reason ?? "This conversation doesn't exist or you don't have access to it."}
  >
    {children}
  </EmptyState>
);

const ThreadSkeleton = () => (
  <SkeletonRegion
    className="flex flex-col gap-3"
    boxes={['h-14 w-2/3', 'h-10 w-1/2 self-end', 'h-14 w-3/5', 'mt-4 h-24 w-full']}
  />
);

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

type Deal = NonNullable<ConversationState['deal']>;

interface ConversationHeaderProps {
  ad: MessageAd;
  other: User | null;
  deal: Deal | null;
  isBlocked: boolean;
  actions: readonly ConversationAction[];
}

export const ConversationHeader = ({ ad, other, deal, isBlocked, actions }: ConversationHeaderProps) => (
  <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
    <MessageAdThumb ad={ad} className="size-16" />
    <div className="min-w-0 flex-1">
      <p className="flex items-center gap-2">
        <AdTitle ad={ad} />
        {ad.isSold ? <Badge variant="strong">Sold</Badge> : null}
      </p>
      {ad.isDeleted ? null : <p className="font-semibold tabular-nums">{toPriceText(ad)}</p>}
      {other ? (
        <p className="flex items-center gap-1 text-sm text-muted-foreground">
          <PersonLink person={other} className="truncate leading-6" />
          <SellerBadges user={other} />
        </p>
      ) : null}
    </div>
    <div className="order-last w-full empty:hidden sm:order-none sm:w-auto sm:max-w-1/2">
      {other ? <ReservationLine ad={ad} other={other} actions={actions} /> : null}
      {other && deal && ad.isSold ? <DealLine deal={deal} other={other} /> : null}
    </div>
    {other ? <PersonActions person={other} isBlocked={isBlocked} /> : null}
  </div>
);
