import { clsx as cn } from 'clsx';
import { MessagesSquare } from 'lucide-react';
import { useLocation } from 'react-router-dom';
import { t } from '../../../../contract/i18n.ts';
import { PAGES } from '../../../../contract/pages.ts';
import { useSession } from '../../api/session.ts';
import { useIsWide } from '../../hooks/use-is-wide.ts';
import { EmptyState } from '../../ui/feedback.tsx';
import { RequireSignIn } from '../auth/sign-in.tsx';
import { InboxSkeleton } from '../messages/inbox.tsx';
import { LoginPrompt } from '../messages/login-prompt.tsx';
import { InboxTabs } from './inbox-tabs.tsx';

/** Both pages of the inbox. On a wide screen that of the messages looks like a conversation, of which none is open. */
export const InboxPage = () => {
  const { user, isLoading } = useSession();
  const { pathname } = useLocation();
  const isWide = useIsWide();
  const tab = pathname === PAGES.notifications.path ? 'notifications' : 'messages';
  const isOfMessages = tab === 'messages';
  if (user === null && !isOfMessages) return <RequireSignIn title={t('notifications.signIn')} />;
  if (!user)
    return (
      <div className="container-page max-w-3xl py-4 md:py-8">{isLoading ? <InboxSkeleton /> : <LoginPrompt />}</div>
    );
  return (
    <div
      data-slot={isWide && isOfMessages ? 'conversation' : undefined}
      className={cn(
        'container-page py-4 max-lg:max-w-3xl md:max-lg:py-8',
        isOfMessages && 'lg:flex lg:h-full lg:gap-4',
      )}
    >
      <h1 className="sr-only">{t(PAGES[tab].title)}</h1>
      <div className={cn('peer', isOfMessages ? 'inbox-column lg:has-data-[slot=empty]:grow' : 'lg:max-w-3xl')}>
        <InboxTabs meId={user.id} tab={tab} />
      </div>
      {isOfMessages ? (
        <div className="grow content-center rounded-card border border-border bg-card peer-has-data-[slot=empty]:hidden max-lg:hidden lg:grid">
          <EmptyState icon={MessagesSquare} title={t('messages.choose')} text={t('messages.chooseText')} />
        </div>
      ) : null}
    </div>
  );
};
