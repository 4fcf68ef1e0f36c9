import { useLocation, useNavigate } from 'react-router-dom';
import { PAGES } from '../../../../contract/pages.ts';
import { useSession } from '../../api/session.ts';
import { Tab, TabList, TabPanel, Tabs } from '../../ui/tabs.tsx';
import { RequireSignIn } from '../auth/sign-in.tsx';
import { Inbox, InboxSkeleton } from '../messages/inbox.tsx';
import { LoginPrompt } from '../messages/login-prompt.tsx';
import { NotificationList } from '../notifications/notification-list.tsx';
import { UnreadBadge, useUnread } from '../unread/unread.tsx';

/** Both pages of the inbox, each of which is a tab with an address of its own. */
export const InboxPage = () => {
  const { user, isLoading } = useSession();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const unread = useUnread();
  const tab = pathname === PAGES.notifications.path ? 'notifications' : 'messages';
  if (user === null && tab === 'notifications')
    return <RequireSignIn title="Please sign in to see your notifications" />;
  return (
    <div className="container-page max-w-3xl py-4 md:py-8">
      {isLoading ? (
        <InboxSkeleton />
      ) : user ? (
        <Tabs value={tab} onValueChange={(value) => void navigate(`/${value}`)}>
          <h1 className="sr-only">{PAGES[tab].title}</h1>
          <TabList aria-label="Inbox">
            <Tab value="messages">
              Messages <UnreadBadge count={unread.messages} className="ml-1" />
            </Tab>
            <Tab value="notifications">
              Notifications <UnreadBadge count={unread.notifications} className="ml-1" />
            </Tab>
          </TabList>
          <TabPanel value="messages">
            <Inbox meId={user.id} />
          </TabPanel>
          <TabPanel value="notifications">
            <NotificationList />
          </TabPanel>
        </Tabs>
      ) : (
        <LoginPrompt />
      )}
    </div>
  );
};
