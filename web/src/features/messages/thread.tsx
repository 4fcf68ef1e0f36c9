import { ArrowDown } from 'lucide-react';
import { Fragment } from 'react';
import type { Message } from '../../../../contract/messages.ts';
import { useStickToBottom } from '../../hooks/use-stick-to-bottom.ts';
import { cn } from '../../lib/cn.ts';
import { formatDay, formatTimeAgo } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import type { PendingMessage } from './use-conversation.ts';

interface ThreadProps {
  messages: Message[];
  outgoing: PendingMessage[];
  userId: string;
  hasEarlier: boolean;
  onEarlier: () => Promise<void>;
  onRetry: (one: PendingMessage) => void;
  onDiscard: (key: string) => void;
}

const dayOf = (message: Message | undefined) => message && new Date(message.createdAt).toDateString();

/** The messages, oldest first, scrolled to the newest unless one is reading further up. */
export const Thread = ({ messages, outgoing, userId, hasEarlier, onEarlier, onRetry, onDiscard }: ThreadProps) => {
  const { box, hasUnseen, scrollToEnd, keepPlace } = useStickToBottom(messages.length + outgoing.length);
  return (
    <div className="relative">
      <div
        ref={box}
        role="log"
        aria-label="Messages"
        aria-live="polite"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        // As high as leaves Send Message in sight, on wide screens above the place of toasts.
        className="max-h-[clamp(12rem,100dvh-30rem,24rem)] sm:max-h-[clamp(10.5rem,100dvh-34.5rem,24rem)] overflow-y-auto overscroll-contain rounded-control px-1 py-2 -outline-offset-2"
      >
        {hasEarlier ? (
          <div className="flex justify-center pb-3">
            <Button variant="ghost" size="sm" onClick={() => void keepPlace(onEarlier)}>
              Earlier messages
            </Button>
          </div>
        ) : null}
        <ol className="flex flex-col gap-3">
          {messages.map((message, at) => (
            <Fragment key={message.id}>
              {dayOf(message) === dayOf(messages[at - 1]) ? null : (
                <li className="self-center rounded-full bg-muted px-3 py-0.5 text-xs text-muted-foreground">
                  {formatDay(message.createdAt)}
                </li>
              )}
              <MessageBubble
                isOwn={message.senderId === userId}
                sender={message.sender.displayName}
                content={message.content}
                createdAt={message.createdAt}
              />
            </Fragment>
          ))}
          {outgoing.map((one) => (
            <MessageBubble
              key={one.key}
              isOwn
              sender="You"
              content={one.content}
              status={
                one.failed ? (
                  <>
                    <span className="text-destructive">Not sent</span>
                    <Button variant="link" size="inline" className="min-h-6 text-xs" onClick={() => onRetry(one)}>
                      Try again
                    </Button>
                    <Button variant="link" size="inline" className="min-h-6 text-xs" onClick={() => onDiscard(one.key)}>
                      Discard
                    </Button>
                  </>
                ) : (
                  'Sending…'
                )
              }
            />
          ))}
        </ol>
      </div>
      {hasUnseen ? (
        <Button
          size="sm"
          className="absolute bottom-2 left-1/2 -translate-x-1/2 rounded-full shadow-dialog"
          onClick={scrollToEnd}
        >
          <ArrowDown aria-hidden="true" />
          New messages
        </Button>
      ) : null}
    </div>
  );
};

interface BubbleProps {
  isOwn: boolean;
  sender: string;
  content: string;
  createdAt?: string;
  status?: React.ReactNode;
}

/** One message: own ones on the right. */
export const MessageBubble = ({ isOwn, sender, content, createdAt, status }: BubbleProps) => (
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
