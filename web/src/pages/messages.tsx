import { MessageCircle } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useSession } from '../api/session.ts';
import { LoginPrompt } from '../features/messages/conversation.tsx';
import { InboxCard } from '../features/messages/inbox-card.tsx';
import { getConversationKey, useInbox } from '../features/messages/use-inbox.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../ui/feedback.tsx';
import { LoadMoreButton } from '../ui/load-more-button.tsx';

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
  const { conversations, error, list, retry } = useInbox(meId);
  if (error) return <ErrorState title="Failed to load messages" onRetry={retry} />;
  if (!conversations) return <InboxSkeleton />;
  if (conversations.length === 0) {
    return (
      <EmptyState
        icon={MessageCircle}
        title="No messages yet"
        text="When you write to a seller, or a buyer to you, it appears here."
      >
        <Button asChild>
          <Link to="/">Browse Ads</Link>
        </Button>
      </EmptyState>
    );
  }
  return (
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
  );
};

const InboxSkeleton = () => (
  <SkeletonRegion className="grid gap-3">
    {['a', 'b', 'c'].map((key) => (
      <Skeleton key={key} className="h-36" />
    ))}
  </SkeletonRegion>
);
