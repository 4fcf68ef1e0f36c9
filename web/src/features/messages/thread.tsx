import { clsx as cn } from 'clsx';
import { ArrowDown, Ellipsis, Flag } from 'lucide-react';
import { Fragment, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Conversation } from '../../../../contract/conversations.ts';
import { t } from '../../../../contract/i18n.ts';
import type { Message, MessagePhoto, Offer, ThreadMessage } from '../../../../contract/messages.ts';
import { nameOf } from '../../lib/names.ts';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/feedback.tsx';
import { lazyOverlay, loadActionMenu, MenuButton } from '../../ui/lazy-overlays.tsx';
import { TimeAgo } from '../../ui/local-date.tsx';
import { OfferCard } from '../offers/offer-card.tsx';
import { ReportDialog } from '../reports/report-button.tsx';
import { MessageBubble } from './bubble.tsx';
import { formatDay } from './format-day.ts';
import type { PendingMessage } from './use-conversation.ts';

interface ThreadProps {
  conversation: Conversation;
  pending: PendingMessage[];
  userId: string;
  hasEarlier: boolean;
  isLoadingEarlier: boolean;
  loadEarlier: () => Promise<void>;
  sendAgain: (message: PendingMessage) => void;
  discard: (key: string) => void;
  /** Shows the message of a reply about an offer. */
  showReply: (message: Message) => Promise<unknown>;
  /** The thread fills the page of the conversation. */
  isPage?: boolean | undefined;
}

const getDay = (message: ThreadMessage | undefined) => message && new Date(message.createdAt).toDateString();

/** The ids of the messages with the first warning of each day. Later warnings of that day are folded. */
const findUnfoldedWarnings = (messages: ThreadMessage[]): Set<string> => {
  const firstOfDays = new Map<string | undefined, string>();
  for (const message of messages) {
    const day = getDay(message);
    if (message.warning && !firstOfDays.has(day)) firstOfDays.set(day, message.id);
  }
  return new Set(firstOfDays.values());
};

/** Its size is known once it is sent. */
const toPendingPhoto = (id: string): MessagePhoto => ({ id, width: 1, height: 1 });

const GROUP_MS = 5 * 60_000;

/** The message follows another one of its sender soon, on the same day: both are one group. */
const isGrouped = (message: ThreadMessage, before: ThreadMessage | undefined): boolean =>
  before?.senderId === message.senderId &&
  getDay(before) === getDay(message) &&
  Date.parse(message.createdAt) - Date.parse(before.createdAt) < GROUP_MS;

const isOffer = (message: ThreadMessage): message is ThreadMessage & { offer: Offer } => message.offer !== undefined;

/** An offer after a countered one is the response to it. */
const isCounterOffer = (messages: ThreadMessage[], index: number): boolean =>
  messages.slice(0, index).findLast(isOffer)?.offer.status === 'countered';

const LinkDialog = lazyOverlay(() => import('./link-dialog.tsx').then((module) => module.LinkDialog));

/** Milliseconds for which the log is silent after inserting earlier messages, so that screen readers skip them. */
const SILENT_MS = 1000;

export const Thread = (props: ThreadProps) => {
  const { conversation, pending, userId, hasEarlier, isLoadingEarlier, loadEarlier } = props;
  const { sendAgain, discard, showReply, isPage } = props;
  const { messages, ad, other, actions } = conversation;
  const name = other ? nameOf(other) : '';
  const { boxRef, hasUnseen, scrollToEnd, keepPlace } = useStickToBottom(messages.length + pending.length);
  const [isSilent, setSilent] = useState(false);
  const [reported, setReported] = useState<ThreadMessage>();
  const [isReporting, setReporting] = useState(false);
  const [link, setLink] = useState<URL>();
  const [isLinkOpen, setLinkOpen] = useState(false);
  const unfoldedWarnings = findUnfoldedWarnings(messages);
  const lastRead = messages.findLast(({ senderId, isRead }) => senderId === userId && isRead);

  const handleLink = (url: URL) => {
    setLink(url);
    setLinkOpen(true);
  };

  const handleReport = (message: ThreadMessage) => {
    setReported(message);
    setReporting(true);
  };

  const handleEarlier = async () => {
    setSilent(true);
    await keepPlace(loadEarlier);
    setTimeout(() => setSilent(false), SILENT_MS);
  };

  return (
    <div className={cn('relative', isPage && 'flex min-h-32 shrink grow basis-0 flex-col')}>
      <div
        ref={boxRef}
        role="log"
        aria-label={t('shell.messages')}
        // Earlier messages are not announced.
        aria-live={isSilent ? 'off' : 'polite'}
        // Nor are the ages of messages and the times of offers, which change each minute.
        aria-relevant="additions"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className={cn(
          'overflow-x-clip overflow-y-auto overscroll-contain rounded-control py-2 -outline-offset-2',
          isPage
            ? 'flex min-h-0 grow flex-col px-3 lg:px-4'
            : // This height leaves Send Message visible, and on wide screens also the space for toasts.
              'max-h-[clamp(12rem,100dvh-32rem,24rem)] px-1 sm:max-h-[clamp(10.5rem,100dvh-34.5rem,24rem)]',
        )}
      >
        {hasEarlier ? (
          <div className="flex justify-center pb-3">
            <Button variant="ghost" size="sm" busy={isLoadingEarlier} onClick={() => void handleEarlier()}>
              {isLoadingEarlier ? <Spinner /> : null}
              {t('messages.earlier')}
            </Button>
          </div>
        ) : null}
        <ol className="mt-auto flex flex-col">
          {messages.map((message, index) => (
            <Fragment key={message.id}>
              {getDay(message) === getDay(messages[index - 1]) ? null : (
                <li className="mt-3 self-center rounded-full bg-muted px-3 py-0.5 text-xs text-muted-foreground">
                  <TimeAgo iso={message.createdAt} format={formatDay} />
                </li>
              )}
              <MessageBubble
                isOwn={message.senderId === userId}
                sender={name}
                content={message.isWordless ? '' : message.content}
                photos={message.photos}
                createdAt={message.createdAt}
                isGrouped={isGrouped(message, messages[index - 1])}
                status={message === lastRead ? t('messages.read') : null}
                offer={
                  isOffer(message) && ad && other ? (
                    <OfferCard
                      message={message}
                      ad={ad}
                      other={other}
                      actions={actions}
                      showReply={showReply}
                      isCounter={isCounterOffer(messages, index)}
                    />
                  ) : null
                }
                warning={message.warning ? (unfoldedWarnings.has(message.id) ? 'unfolded' : 'folded') : null}
                onLink={handleLink}
                menu={
                  message.senderId === userId ? null : (
                    <MenuButton
                      label={t('messages.actionsFor', { name })}
                      load={loadActionMenu}
                      menu={{
                        title: t('messages.message'),
                        actions: [{ icon: Flag, label: t('messages.report'), onSelect: () => handleReport(message) }],
                      }}
                      className="size-8 rounded-full text-muted-foreground max-md:size-9 pointer-fine:not-group-hover:not-focus-visible:not-aria-expanded:opacity-0"
                    >
                      <Ellipsis />
                    </MenuButton>
                  )
                }
              />
            </Fragment>
          ))}
          {pending.map((message) => (
            <MessageBubble
              key={message.key}
              isOwn
              sender={t('messages.you')}
              content={message.content}
              photos={message.imageIds?.map(toPendingPhoto)}
              onLink={handleLink}
              status={
                message.failed ? (
                  <>
                    <span className="text-destructive">{t('messages.notSent')}</span>
                    <Button variant="link" size="inline" className="min-h-6 text-xs" onClick={() => sendAgain(message)}>
                      {t('shell.tryAgain')}
                    </Button>
                    <Button
                      variant="link"
                      size="inline"
                      className="min-h-6 text-xs"
                      onClick={() => discard(message.key)}
                    >
                      {t('messages.discard')}
                    </Button>
                  </>
                ) : (
                  t('messages.sending')
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
          <ArrowDown />
          {t('messages.newMessages')}
        </Button>
      ) : null}
      {link ? <LinkDialog url={link} open={isLinkOpen} onOpenChange={setLinkOpen} /> : null}
      {reported ? (
        <ReportDialog
          target={{ type: 'message', id: reported.id, name }}
          open={isReporting}
          onOpenChange={setReporting}
        />
      ) : null}
    </div>
  );
};

const NEAR_PX = 80;

/**
 * Keeps a scrolling box at its end while it grows. If the user has scrolled up, the box stays and `hasUnseen` is set.
 */
export const useStickToBottom = (length: number) => {
  const boxRef = useRef<HTMLDivElement>(null);
  const wasNearEndRef = useRef(true);
  const isLoadingEarlierRef = useRef(false);
  const [hasUnseen, setUnseen] = useState(false);

  const scrollToEnd = () => {
    boxRef.current?.scrollTo({ top: boxRef.current.scrollHeight });
    setUnseen(false);
  };

  useEffect(() => {
    const element = boxRef.current;
    if (!element) return;
    const handleScroll = () => {
      wasNearEndRef.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX;
      if (wasNearEndRef.current) setUnseen(false);
    };
    element.addEventListener('scroll', handleScroll, { passive: true });
    // also where nothing is added: an offer changes its height, and so does the box with the window
    const observer = new ResizeObserver(() => {
      if (wasNearEndRef.current && !isLoadingEarlierRef.current) element.scrollTo({ top: element.scrollHeight });
    });
    for (const sized of [element, ...element.children]) observer.observe(sized);
    return () => {
      element.removeEventListener('scroll', handleScroll);
      observer.disconnect();
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the box has grown
  useLayoutEffect(() => {
    if (isLoadingEarlierRef.current) return;
    if (wasNearEndRef.current) boxRef.current?.scrollTo({ top: boxRef.current.scrollHeight });
    else setUnseen(true);
  }, [length]);

  /** Loads content above without moving the visible content. */
  const keepPlace = async (load: () => Promise<void>) => {
    const element = boxRef.current;
    const fromEnd = element ? element.scrollHeight - element.scrollTop : 0;
    isLoadingEarlierRef.current = true;
    try {
      await load();
      requestAnimationFrame(() => element?.scrollTo({ top: element.scrollHeight - fromEnd }));
    } finally {
      isLoadingEarlierRef.current = false;
    }
  };

  return { boxRef, hasUnseen, scrollToEnd, keepPlace };
};
