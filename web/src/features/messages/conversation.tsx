import { HandCoins, MessageCircle } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Conversation as ConversationState } from '../../../../contract/conversations.ts';
import { t } from '../../../../contract/i18n.ts';
import type { Message, MessageAd } from '../../../../contract/messages.ts';
import type { Me, User } from '../../../../contract/user.ts';
import { hasStatus } from '../../api/client.ts';
import { useFocusFallback } from '../../hooks/use-focus-fallback.ts';
import { draftKey } from '../../lib/draft.ts';
import { nameOf } from '../../lib/names.ts';
import { LinkButton } from '../../ui/button.tsx';
import { EmptyState, SkeletonRegion } from '../../ui/feedback.tsx';
import { Query } from '../../ui/query.tsx';
import { UnblockButton } from '../blocks/block-button.tsx';
import { OfferDialog } from '../offers/offer-card.tsx';
import { Composer } from './composer.tsx';
import { DealBar } from './deal-bar.tsx';
import type { ConversationKey } from './loaded-conversation.ts';
import { Thread } from './thread.tsx';
import { ToolButton } from './tool-button.tsx';
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

const FIRST_MESSAGES = ['messages.firstAvailable', 'messages.firstPickUp', 'messages.firstMeet'] as const;

interface ConversationViewProps extends ConversationKey {
  user: Me;
  state: ReturnType<typeof useConversation>;
  /** The conversation has a page of its own, and fills it. */
  isPage?: boolean;
}

/** The messages, and what sends. */
export const ConversationView = ({ adId, otherUserId, user, state, isPage }: ConversationViewProps) => {
  const { query, pending, isSending, send } = state;
  // Unblock disappears when it has worked.
  const focusFallback = useFocusFallback<HTMLDivElement>();

  const show = (conversation: ConversationState) => {
    const { ad, other, messages, actions, isBlocked } = conversation;
    const reason = conversation.reason && t(`messages.refusal_${conversation.reason}`);
    const canSend = actions.includes('send');
    const isEmpty = messages.length === 0 && pending.length === 0;
    const unblock = isBlocked ? (
      <UnblockButton person={{ id: otherUserId, displayName: other ? nameOf(other) : t('messages.thisPerson') }} />
    ) : null;
    return (
      <div className={isPage ? 'flex min-h-0 grow flex-col' : 'grid gap-4'}>
        {isEmpty ? (
          canSend ? (
            <p className="my-auto rounded-control bg-surface p-4 text-center text-muted-foreground">
              {t('messages.sayHello')}
            </p>
          ) : null
        ) : (
          <Thread {...state} conversation={conversation} userId={user.id} isPage={isPage} />
        )}
        {isPage ? <DealBar conversation={conversation} /> : null}
        <div {...focusFallback} tabIndex={-1} className={isPage ? 'border-t border-border p-2 lg:p-4' : undefined}>
          {canSend ? (
            <Composer
              draftKey={draftKey(user.id, `message:${adId}:${otherUserId}`)}
              proposals={isEmpty ? FIRST_MESSAGES.map((key) => t(key)) : undefined}
              isSending={isSending}
              isPinned={isPage}
              onSend={(content, imageIds) => send({ content, imageIds, after: messages.at(-1)?.id ?? '0' })}
            >
              {ad && other && actions.includes('offer') ? (
                <OfferButton ad={ad} other={other} showReply={state.showReply} />
              ) : null}
            </Composer>
          ) : isEmpty ? (
            <NoMessages reason={ad && reason}>{unblock}</NoMessages>
          ) : (
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-control bg-muted p-3">
              <p className="text-sm text-muted-foreground">{reason ?? t('messages.cannotWrite')}</p>
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
      failure={t('messages.fetchFailed')}
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
      <ToolButton
        variant="outline"
        onClick={() => setOpen(true)}
        icon={<HandCoins />}
        label={t('messages.makeOffer')}
      />
      <OfferDialog ad={ad} other={other} showReply={showReply} open={isOpen} onOpenChange={setOpen} />
    </>
  );
};

/** Shown for an empty conversation that accepts no messages. `reason` says why, if the user may see the ad. */
const NoMessages = ({ reason, children }: { reason?: string | null; children?: ReactNode }) => (
  <EmptyState icon={MessageCircle} title={t('messages.noneFound')} text={reason ?? t('messages.noAccess')}>
    {children}
    {reason ? null : <LinkButton to="/messages">{t('messages.backToMessages')}</LinkButton>}
  </EmptyState>
);

const ThreadSkeleton = () => (
  <SkeletonRegion
    className="flex flex-col gap-3"
    boxes={['h-14 w-2/3', 'h-10 w-1/2 self-end', 'h-14 w-3/5', 'mt-4 h-24 w-full']}
  />
);
