import { ArrowDown } from 'lucide-react';
import { Fragment } from 'react';
import type { Message } from '../../../../contract/messages.ts';
import { formatDay } from '../../lib/format-time.ts';
import { Button } from '../../ui/button.tsx';
import { Bubble } from './bubble.tsx';
import type { Outgoing } from './use-outbox.ts';
import { useStickToEnd } from './use-stick-to-end.ts';

interface ThreadProps {
  messages: Message[];
  outgoing: Outgoing[];
  userId: string;
  hasEarlier: boolean;
  onEarlier: () => Promise<void>;
  onRetry: (one: Outgoing) => void;
  onDiscard: (key: string) => void;
}

const dayOf = (message: Message | undefined) => message && new Date(message.createdAt).toDateString();

/** The messages, oldest first, scrolled to the newest unless one is reading further up. */
export const Thread = ({ messages, outgoing, userId, hasEarlier, onEarlier, onRetry, onDiscard }: ThreadProps) => {
  const { box, hasUnseen, scrollToEnd, keepPlace } = useStickToEnd(messages.length + outgoing.length);
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
              <Bubble
                isOwn={message.senderId === userId}
                sender={message.sender.displayName}
                content={message.content}
                createdAt={message.createdAt}
              />
            </Fragment>
          ))}
          {outgoing.map((one) => (
            <Bubble
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
