import { MessageCircle } from 'lucide-react';
import type { Me } from '../../../../contract/user.ts';
import { draftKey } from '../../lib/storage.ts';
import { Empty, Failure } from '../../ui/empty.tsx';
import { Skeleton, SkeletonRegion } from '../../ui/skeleton.tsx';
import { Composer } from './composer.tsx';
import { unconfirmed } from './merge-messages.ts';
import { Thread } from './thread.tsx';
import { type Conversing, useConversation } from './use-conversation.ts';
import { useConversationStatus } from './use-conversation-status.ts';
import { useMarkRead } from './use-mark-read.ts';
import { useOutbox } from './use-outbox.ts';

interface ConversationProps extends Conversing {
  user: Me;
  everyMs: number;
}

/** Thread and composer: the same on the conversation's page and in the ad's dialog. */
export const Conversation = ({ adId, otherUserId, user, everyMs }: ConversationProps) => {
  const target = { adId, otherUserId };
  const status = useConversationStatus(target);
  const { messages, hasEarlier, loadEarlier, error, isSending, refresh, retry } = useConversation(target, everyMs);
  const outbox = useOutbox(target, refresh);
  isSending.current = outbox.isSending;
  useMarkRead(messages, user.id);

  if (error && !messages) {
    return error.status === 404 ? <NoMessages /> : <Failure title="Failed to fetch messages" onRetry={retry} />;
  }
  if (!messages || !status) return <ThreadSkeleton />;
  const isEmpty = messages.length === 0 && outbox.outgoing.length === 0;
  if (isEmpty && !status.canSend) return <NoMessages />;
  return (
    <div className="grid gap-4">
      {isEmpty ? (
        <p className="rounded-control bg-surface p-4 text-center text-muted-foreground">
          Say hello: ask about the condition, the price or where to meet.
        </p>
      ) : (
        <Thread
          messages={messages}
          outgoing={unconfirmed(outbox.outgoing, messages, user.id)}
          userId={user.id}
          hasEarlier={hasEarlier}
          onEarlier={loadEarlier}
          onRetry={(one) => void outbox.retry(one)}
          onDiscard={outbox.discard}
        />
      )}
      {status.canSend ? (
        <Composer
          draftKey={draftKey(user.id, `${adId}:${otherUserId}`)}
          isSending={outbox.isSending}
          onSend={(content) => outbox.send(content, messages.at(-1)?.id ?? '0')}
        />
      ) : (
        <p className="rounded-control bg-muted p-3 text-sm text-muted-foreground">
          {status.reason ?? 'You can no longer write in this conversation.'}
        </p>
      )}
    </div>
  );
};

const NoMessages = () => (
  <Empty
    icon={MessageCircle}
    title="No messages found"
    text="This conversation doesn't exist or you don't have access to it."
  />
);

const ThreadSkeleton = () => (
  <SkeletonRegion className="flex flex-col gap-3">
    <Skeleton className="h-14 w-2/3" />
    <Skeleton className="h-10 w-1/2 self-end" />
    <Skeleton className="h-14 w-3/5" />
    <Skeleton className="mt-4 h-24 w-full" />
  </SkeletonRegion>
);
