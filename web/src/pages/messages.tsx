import { clsx as cn } from 'clsx';
import { MessageCircle } from 'lucide-react';
import { useSession } from '../api/session.ts';
import { LoginPrompt } from '../features/messages/login-prompt.tsx';
import { AdTitle, MessageAdThumb } from '../features/messages/message-ad.tsx';
import { getConversationKey, type InboxConversation, useInbox } from '../features/messages/use-inbox.ts';
import { formatCount, pluralize } from '../lib/format.ts';
import { Avatar } from '../ui/avatar.tsx';
import { LinkButton } from '../ui/button.tsx';
import { Badge, Card } from '../ui/card.tsx';
import { EmptyState, SkeletonRegion } from '../ui/feedback.tsx';
import { LoadMoreButton } from '../ui/load-more-button.tsx';
import { TimeAgo } from '../ui/local-date.tsx';
import { Query } from '../ui/query.tsx';

export const MessagesPage = () => {
  const { user, isLoading } = useSession();
  return (
    <div className="container-page max-w-3xl py-8 md:py-12">
      {isLoading ? (
        <InboxSkeleton />
      ) : user ? (
        <>
          <h1 className="mb-6 page-heading">Messages</h1>
          <Inbox meId={user.id} />
        </>
      ) : (
        <LoginPrompt />
      )}
    </div>
  );
};

const Inbox = ({ meId }: { meId: string }) => {
  const { list, ...query } = useInbox(meId);
  return (
    <Query
      of={query}
      failure="Failed to load messages"
      loading={<InboxSkeleton />}
      empty={
        <EmptyState
          icon={MessageCircle}
          title="No messages yet"
          text="When you write to a seller, or a buyer to you, it appears here."
        >
          <LinkButton to="/">Browse Ads</LinkButton>
        </EmptyState>
      }
    >
      {(conversations) => (
        <>
          <ul className="grid gap-3">
            {conversations.map((conversation) => (
              <li key={getConversationKey(conversation)}>
                <InboxCard conversation={conversation} meId={meId} />
              </li>
            ))}
          </ul>
          <LoadMoreButton list={list} />
        </>
      )}
    </Query>
  );
};

const InboxSkeleton = () => <SkeletonRegion className="grid gap-3" boxes={Array(3).fill('h-36')} />;

export const InboxCard = ({ conversation, meId }: { conversation: InboxConversation; meId: string }) => {
  const { ad, other, latest, messages, unread } = conversation;
  const name = other.displayName || other.username || '';
  return (
    <Card
      className={cn(
        'grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 p-4',
        unread > 0 && 'border-l-4 border-l-primary',
      )}
    >
      <MessageAdThumb ad={ad} className="size-[min(4rem,20vw)]" />
      <div className="grid grid-cols-1 content-start gap-1.5">
        <div className="flex flex-wrap items-start gap-2">
          <h2 className="min-w-0 grow basis-32 text-base">
            <AdTitle ad={ad} />
          </h2>
          {unread > 0 ? <Badge variant="primary">{formatCount(unread)} new</Badge> : null}
        </div>
        <div className="flex flex-wrap items-center gap-2 text-sm text-muted-foreground">
          <Avatar src={other.avatar} name={name} className="size-6 text-xs" />
          <p className="flex min-w-0 flex-wrap gap-x-2">
            <bdi className="truncate font-medium">{name}</bdi>
            <TimeAgo iso={latest.createdAt} />
          </p>
        </div>
        <p className={cn('line-clamp-2 break-words', unread > 0 && 'font-semibold')}>
          {latest.senderId === meId ? 'You: ' : ''}
          <bdi>{latest.content}</bdi>
        </p>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2 max-sm:col-span-2 sm:col-start-2">
        <span className="text-sm text-muted-foreground">{pluralize(messages, 'message')}</span>
        <LinkButton to={`/messages/${ad.id}/${other.id}`} variant="outline" size="sm">
          View Conversation
        </LinkButton>
      </div>
    </Card>
  );
};
