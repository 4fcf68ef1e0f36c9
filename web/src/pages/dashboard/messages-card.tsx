import { MessageCircle } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useUnreadCount } from '../../features/messages/use-unread-count.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';

const sentenceOf = (unread: number): string =>
  unread === 0 ? 'No new messages' : `You have ${unread} unread message${unread === 1 ? '' : 's'}`;

export const MessagesCard = () => (
  <Card className="grid content-center gap-3">
    <h2 className="flex items-center gap-2 text-lg font-semibold">
      <MessageCircle aria-hidden="true" className="size-5" /> Messages
    </h2>
    <p className="text-muted-foreground">{sentenceOf(useUnreadCount())}</p>
    <Button asChild variant="outline">
      <Link to="/messages">View Messages</Link>
    </Button>
  </Card>
);
