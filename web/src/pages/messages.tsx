import { InboxPage } from '../features/inbox/inbox-page.tsx';

export const MessagesPage = InboxPage;
