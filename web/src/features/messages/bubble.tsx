import { cn } from '../../lib/cn.ts';
import { formatTimeAgo } from '../../lib/format-time.ts';

interface BubbleProps {
  isOwn: boolean;
  sender: string;
  content: string;
  createdAt?: string;
  status?: React.ReactNode;
}

/** One message: own ones on the right. */
export const Bubble = ({ isOwn, sender, content, createdAt, status }: BubbleProps) => (
  <li
    className={cn(
      'flex max-w-[85%] flex-col gap-1 sm:max-w-[75%]',
      isOwn ? 'items-end self-end' : 'items-start self-start',
    )}
  >
    <p className="flex max-w-full gap-2 px-1 text-xs text-muted-foreground">
      <bdi className="truncate font-medium">{isOwn ? 'You' : sender}</bdi>
      {createdAt ? (
        <time dateTime={createdAt} className="shrink-0">
          {formatTimeAgo(createdAt)}
        </time>
      ) : null}
    </p>
    <p
      dir="auto"
      className={cn(
        'max-w-full rounded-2xl px-3.5 py-2 text-[0.9375rem] break-words whitespace-pre-wrap',
        isOwn ? 'rounded-tr-md bg-primary text-primary-foreground' : 'rounded-tl-md bg-muted',
      )}
    >
      {content}
    </p>
    {status ? <div className="flex items-center gap-2 px-1 text-xs text-muted-foreground">{status}</div> : null}
  </li>
);
