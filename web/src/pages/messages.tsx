import { useSession } from '../api/session.ts';
import { Inbox, InboxSkeleton } from '../features/messages/inbox.tsx';
import { LoginPrompt } from '../features/messages/login-prompt.tsx';

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
