import { useEffect } from 'react';
import type { EventsOf } from '../../../../contract/endpoint.ts';
import { toUrl } from '../../../../contract/initial-state.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { getUnreadCount, streamMessages, type ThreadMessage } from '../../../../contract/messages.ts';
import { getUnreadNotificationCount } from '../../../../contract/notifications.ts';
import { emitLiveEvent, setLive } from '../../api/events.ts';
import { useInvalidateQueries } from '../../api/query.ts';
import { useQueryWriter } from '../../api/query-writer.ts';

type Events = EventsOf<typeof streamMessages>;
type Handlers = { [Name in Exclude<keyof Events, 'beat'>]: (data: Events[Name]) => void };

const FIRST_RETRY_MS = 1000;
const SLOWEST_RETRY_MS = 60_000;
/** The stream is broken after two and a half heartbeat intervals of silence. */
const SILENCE_MS = LIMITS.streamBeatSeconds * 2500;

/**
 * Connects to the event stream and reconnects with increasing delays after failures. Returns a function that closes it.
 */
const connectEventStream = (userId: string, handlers: Handlers): (() => void) => {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout>;
  let failures = 0;

  const resetSilenceTimer = () => {
    clearTimeout(timer);
    timer = setTimeout(reconnect, SILENCE_MS);
  };
  const listen = <Name extends keyof Events>(name: Name, handle: (data: Events[Name]) => void) =>
    source?.addEventListener(name, ({ data }) => {
      resetSilenceTimer();
      handle(JSON.parse(data));
    });

  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const connect = () => {
    source = new EventSource(toUrl(streamMessages, { query: { userId, timeZone } }));
    // EventSource reconnects after some failures only. This code handles all of them.
    source.addEventListener('error', reconnect);
    listen('live', (data) => {
      failures = 0;
      handlers.live(data);
    });
    listen('message', handlers.message);
    listen('conversation', handlers.conversation);
    listen('unread', handlers.unread);
    listen('notifications', handlers.notifications);
    listen('beat', () => {});
    resetSilenceTimer();
  };
  const close = () => {
    clearTimeout(timer);
    source?.close();
  };
  const reconnect = () => {
    close();
    handlers.live({ isLive: false });
    const wait = Math.min(FIRST_RETRY_MS * 2 ** failures++, SLOWEST_RETRY_MS);
    // Jitter, so that browsers do not reconnect all at once after a server restart.
    timer = setTimeout(connect, wait * (0.5 + Math.random()));
  };

  connect();
  return close;
};

/**
 * Keeps the event stream connected while the tab is visible. A separate chunk, loaded for signed-in users. Renders
 * nothing.
 */
export const EventStream = ({ userId }: { userId: string }) => {
  const write = useQueryWriter();
  const invalidate = useInvalidateQueries();
  useEffect(() => {
    let closeStream: (() => void) | undefined;
    let wasLive = false;
    let unreadNotifications: number | undefined;
    let unreadMessages: number | undefined;
    const handleLive = ({ isLive, caughtUpMs = 0 }: Events['live']) => {
      setLive(isLive);
      // Messages may have arrived since the page loaded, or while the stream was interrupted.
      if (isLive && !wasLive) emitLiveEvent({ type: 'resumed', since: Date.now() - caughtUpMs });
      wasLive = isLive;
    };
    const handleMessage = (message: ThreadMessage) => {
      const { adId, senderId, receiverId } = message;
      const otherUserId = senderId === userId ? receiverId : senderId;
      // A server of the release before sends the ids alone.
      const isWhole = (message as Partial<ThreadMessage>).content !== undefined;
      emitLiveEvent(isWhole ? { type: 'message', message } : { type: 'conversation', adId, otherUserId });
    };
    const handleUnread = (count: Events['unread']) => {
      void write(getUnreadCount, {}, count);
      // Another tab has read messages.
      if (count.unreadCount < (unreadMessages ?? 0)) void invalidate('inbox');
      unreadMessages = count.unreadCount;
    };
    const handleNotifications = (count: { unreadCount: number }) => {
      void write(getUnreadNotificationCount, {}, count);
      if (count.unreadCount !== unreadNotifications) void invalidate('notifications');
      if (count.unreadCount > (unreadNotifications ?? Infinity)) void invalidate('deals');
      unreadNotifications = count.unreadCount;
    };
    const handleVisibility = () => {
      closeStream?.();
      handleLive({ isLive: false });
      closeStream = document.hidden
        ? undefined
        : connectEventStream(userId, {
            live: handleLive,
            message: handleMessage,
            conversation: (event) => emitLiveEvent({ type: 'conversation', ...event }),
            unread: handleUnread,
            notifications: handleNotifications,
          });
    };
    handleVisibility();
    document.addEventListener('visibilitychange', handleVisibility);
    return () => {
      document.removeEventListener('visibilitychange', handleVisibility);
      closeStream?.();
      setLive(false);
    };
  }, [userId, write, invalidate]);
  return null;
};
