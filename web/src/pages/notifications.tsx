import { MessagesPage } from './messages.tsx';

/** The same component, so that a change of the tab keeps it and its focus. */
export const NotificationsPage = MessagesPage;
