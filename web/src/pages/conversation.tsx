import { useParams } from 'react-router-dom';
import { t } from '../../../contract/i18n.ts';
import type { Me } from '../../../contract/user.ts';
import { useSession } from '../api/session.ts';
import { ConversationView } from '../features/messages/conversation.tsx';
import { BackToMessages, ConversationHeader } from '../features/messages/conversation-header.tsx';
import { LoginPrompt } from '../features/messages/login-prompt.tsx';
import { useConversation } from '../features/messages/use-conversation.ts';
import { useVisibleWindow } from '../features/messages/use-visible-window.ts';
import { useIsWide } from '../hooks/use-is-wide.ts';
import { lazyWithRetry } from '../lib/chunks.ts';
import { nameOf } from '../lib/names.ts';
import { PageTitle } from '../lib/site-config.tsx';
import { SkeletonRegion } from '../ui/feedback.tsx';

const InboxTabs = lazyWithRetry(() => import('../features/inbox/inbox-tabs.tsx').then((m) => m.InboxTabs));

export const ConversationPage = () => {
  const { user, isLoading } = useSession();
  const { adId = '', otherUserId = '' } = useParams();
  if (user)
    return (
      <div data-slot="conversation" className="flex h-full lg:container-page lg:gap-4 lg:py-4">
        <InboxColumn meId={user.id} />
        <WholeConversation key={`${adId}-${otherUserId}`} me={user} adId={adId} otherUserId={otherUserId} />
      </div>
    );
  return (
    <div className="container-page max-w-3xl py-8 md:py-12">
      {isLoading ? <SkeletonRegion className="grid gap-4" boxes={['h-20', 'h-80']} /> : <LoginPrompt />}
    </div>
  );
};

/** On a wide screen only: a phone does not ask for what it does not show. */
const InboxColumn = ({ meId }: { meId: string }) => {
  const isShown = useIsWide();
  return (
    <aside aria-label={t('shell.messages')} className="inbox-column max-lg:hidden">
      {isShown ? <InboxTabs meId={meId} tab="messages" /> : null}
    </aside>
  );
};

const EVERY_MS = 5000;

const WholeConversation = ({ me, adId, otherUserId }: { me: Me; adId: string; otherUserId: string }) => {
  const state = useConversation({ adId, otherUserId }, me.id, EVERY_MS);
  useVisibleWindow();
  const { ad, other, isBlocked = false, agreedPrice } = state.query.data ?? {};
  const title = other ? t('messages.conversationWith', { name: nameOf(other) }) : t('shell.titleConversation');
  return (
    // Scrolls as a whole only where a very large font leaves no room for the messages.
    <section className="flex min-w-0 grow flex-col overflow-y-auto bg-card lg:rounded-card lg:border lg:border-border">
      <PageTitle title={title} />
      <h1 className="sr-only">{title}</h1>
      <div className="flex items-center gap-1 border-b border-border px-2 py-1.5 lg:px-4 lg:py-3">
        <BackToMessages />
        {ad ? (
          <ConversationHeader ad={ad} other={other ?? null} isBlocked={isBlocked} agreedPrice={agreedPrice} />
        ) : null}
      </div>
      <ConversationView adId={adId} otherUserId={otherUserId} user={me} state={state} isPage />
    </section>
  );
};
