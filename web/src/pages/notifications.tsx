import { InboxPage } from '../features/inbox/inbox-page.tsx';

/** The component of /messages, so that a change of the tab keeps it and its focus. */
export const NotificationsPage = InboxPage;
