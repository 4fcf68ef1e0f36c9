import { useNavigate } from 'react-router-dom';
import { t } from '../../../../contract/i18n.ts';
import { Tab, TabList, TabPanel, Tabs } from '../../ui/tabs.tsx';
import { Inbox } from '../messages/inbox.tsx';
import { NotificationList } from '../notifications/notification-list.tsx';
import { UnreadBadge, useUnread } from '../unread/unread.tsx';

interface InboxTabsProps {
  meId: string;
  tab: 'messages' | 'notifications';
}

/** Messages and notifications, each at an address of its own. */
export const InboxTabs = ({ meId, tab }: InboxTabsProps) => {
  const navigate = useNavigate();
  const unread = useUnread();
  return (
    <Tabs value={tab} onValueChange={(value) => void navigate(`/${value}`)}>
      <TabList aria-label={t('shell.inbox')}>
        <Tab value="messages">
          {t('shell.messages')} <UnreadBadge count={unread.messages} className="ms-1" />
        </Tab>
        <Tab value="notifications">
          {t('shell.notifications')} <UnreadBadge count={unread.notifications} className="ms-1" />
        </Tab>
      </TabList>
      <TabPanel value="messages">
        <Inbox meId={meId} />
      </TabPanel>
      <TabPanel value="notifications">
        <NotificationList />
      </TabPanel>
    </Tabs>
  );
};
