import { ArrowLeft } from 'lucide-react';
import { Link, useParams } from 'react-router-dom';
import type { Me } from '../../../contract/user.ts';
import { useSession } from '../api/session.ts';
import { ConversationHeader, ConversationView } from '../features/messages/conversation.tsx';
import { LoginPrompt } from '../features/messages/login-prompt.tsx';
import { useConversation } from '../features/messages/use-conversation.ts';
import { PageTitle } from '../lib/site-config.tsx';
import { Card } from '../ui/card.tsx';
import { SkeletonRegion } from '../ui/feedback.tsx';

export const ConversationPage = () => {
  const { user, isLoading } = useSession();
  const { adId = '', otherUserId = '' } = useParams();
  return (
    <div className="container-page max-w-3xl py-8 md:py-12">
      {isLoading ? (
        <ConversationSkeleton />
      ) : user ? (
        <WholeConversation key={`${adId}-${otherUserId}`} me={user} adId={adId} otherUserId={otherUserId} />
      ) : (
        <LoginPrompt />
      )}
    </div>
  );
};

const EVERY_MS = 5000;

const WholeConversation = ({ me, adId, otherUserId }: { me: Me; adId: string; otherUserId: string }) => {
  const state = useConversation({ adId, otherUserId }, me.id, EVERY_MS);
  const { ad, other, deal, isBlocked, actions } = state.query.data ?? {};
  const title = other ? `Conversation with ${other.displayName}` : 'Conversation';
  return (
    <>
      <PageTitle title={title} />
      <Link
        to="/messages"
        className="mb-4 inline-flex min-h-11 items-center gap-1.5 text-sm text-muted-foreground hover:text-foreground"
      >
        <ArrowLeft className="size-4" /> Back to messages
      </Link>
      <h1 className="sr-only">{title}</h1>
      <Card className="grid gap-5">
        {ad ? (
          <div className="border-b border-border pb-4">
            <ConversationHeader
              ad={ad}
              other={other ?? null}
              deal={deal ?? null}
              isBlocked={isBlocked ?? false}
              actions={actions ?? []}
            />
          </div>
        ) : null}
        <ConversationView adId={adId} otherUserId={otherUserId} user={me} state={state} />
      </Card>
    </>
  );
};

const ConversationSkeleton = () => <SkeletonRegion className="grid gap-4" boxes={['h-20', 'h-80']} />;
