import { Link } from 'react-router-dom';
import { cn } from '../../lib/cn.ts';
import { formatCount } from '../../lib/format.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Badge, Card } from '../../ui/card.tsx';
import { TimeAgo } from '../../ui/local-date.tsx';
import { AdTitle, MessageAdThumb } from './conversation.tsx';
import type { InboxConversation } from './use-inbox.ts';

export const InboxCard = ({ conversation, meId }: { conversation: InboxConversation; meId: string }) => {
  const { ad, other, latest, messages, unread } = conversation;
  const name = other.displayName || other.username || '';
  return (
    <Card
      className={cn(
        'grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 p-4',
        unread > 0 && 'border-l-4 border-l-primary',
      )}
    >
      <MessageAdThumb ad={ad} className="size-16" />
      <div className="grid content-start gap-1.5">
        <div className="flex items-start gap-2">
          <h2 className="min-w-0 grow text-base">
            <AdTitle ad={ad} />
          </h2>
          {unread > 0 ? <Badge variant="primary">{formatCount(unread)} new</Badge> : null}
        </div>
        <div className="flex items-center gap-2 text-sm text-muted-foreground">
          <Avatar src={other.avatar} name={name} className="size-6 text-xs" />
          <p className="flex min-w-0 flex-wrap gap-x-2">
            <bdi className="truncate font-medium">{name}</bdi>
            <TimeAgo iso={latest.createdAt} />
          </p>
        </div>
        <p className={cn('line-clamp-2 break-words', unread > 0 && 'font-semibold')}>
          {latest.senderId === meId ? 'You: ' : ''}
          <bdi>{latest.content}</bdi>
        </p>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2 max-sm:col-span-2 sm:col-start-2">
        <span className="text-sm text-muted-foreground">
          {formatCount(messages)} {messages === 1 ? 'message' : 'messages'}
        </span>
        <Button asChild variant="outline" size="sm">
          <Link to={`/messages/${ad.id}/${other.id}`}>View Conversation</Link>
        </Button>
      </div>
    </Card>
  );
};
