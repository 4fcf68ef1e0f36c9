import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import type { MessageEventData } from '../../../contract/messages.ts';

const MAX_SLOWDOWN = 8;

/**
 * Calls `refresh` every `everyMs` milliseconds. Pauses while the tab is hidden and polls immediately when it becomes
 * visible. After failures, it slows down up to eight times. (SWR's refreshInterval stops at the first error.)
 */
export const usePoll = (refresh: () => Promise<unknown>, everyMs: number | null): void => {
  const refreshNow = useEffectEvent(refresh);
  useEffect(() => {
    if (everyMs === null) return;
    let timer: ReturnType<typeof setTimeout>;
    let slowdown = 1;
    let stopped = false;
    const schedule = () => {
      if (!stopped && !document.hidden) timer = setTimeout(run, everyMs * slowdown);
    };
    const run = async () => {
      clearTimeout(timer);
      await refreshNow().then(
        () => {
          slowdown = 1;
        },
        () => {
          slowdown = Math.min(slowdown * 2, MAX_SLOWDOWN);
        },
      );
      clearTimeout(timer);
      schedule();
    };
    const handleVisibility = () => {
      clearTimeout(timer);
      if (!document.hidden) void run();
    };
    schedule();
    document.addEventListener('visibilitychange', handleVisibility);
    return () => {
      stopped = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', handleVisibility);
    };
  }, [everyMs]);
};

const subscribeToVisibility = (onChange: () => void) => {
  document.addEventListener('visibilitychange', onChange);
  return () => document.removeEventListener('visibilitychange', onChange);
};

export const usePageVisible = (): boolean =>
  useSyncExternalStore(
    subscribeToVisibility,
    () => !document.hidden,
    () => false,
  );

// Window events connect this file to the event stream, which is a separate chunk (features/messages/event-stream.tsx).
const STREAM_STATE = 'event-stream-state';
const MESSAGE = 'message-event';

let isLive = false;

export const setLive = (value: boolean): void => {
  isLive = value;
  window.dispatchEvent(new Event(STREAM_STATE));
};

const subscribe = (onChange: () => void) => {
  window.addEventListener(STREAM_STATE, onChange);
  return () => window.removeEventListener(STREAM_STATE, onChange);
};

/** Whether the event stream is live, so that polling can be rare. */
export const useIsLive = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => isLive,
    () => false,
  );

/** Polling interval in milliseconds while the stream is live. Such a poll is only a safety net. */
export const LIVE_POLL_MS = 120_000;

export const getPollInterval = (everyMs: number, live: boolean): number =>
  live ? Math.max(everyMs, LIVE_POLL_MS) : everyMs;

/** Publishes a message event. null means that events may have been missed while the stream was interrupted. */
export const emitMessageEvent = (message: MessageEventData | null): void => {
  window.dispatchEvent(new CustomEvent(MESSAGE, { detail: message }));
};

const useMessageEvents = (handle: (message: MessageEventData | null) => void): void => {
  const handleNow = useEffectEvent(handle);
  useEffect(() => {
    const handleEvent = (event: Event) => handleNow((event as CustomEvent<MessageEventData | null>).detail);
    window.addEventListener(MESSAGE, handleEvent);
    return () => window.removeEventListener(MESSAGE, handleEvent);
  }, []);
};

/**
 * Polls every `everyMs` milliseconds (null: never), and rarely while the event stream is live. Calls `onMessage` for
 * each message event, or `poll` when events may have been missed.
 */
export const useLivePoll = (
  poll: () => Promise<unknown>,
  everyMs: number | null,
  onMessage?: (message: MessageEventData) => Promise<unknown> | undefined,
): void => {
  const live = useIsLive();
  usePoll(poll, everyMs === null ? null : getPollInterval(everyMs, live));
  useMessageEvents((message) => {
    if (everyMs === null || !onMessage) return;
    // After a failure, the next poll catches up.
    (message === null ? poll() : onMessage(message))?.catch(() => {});
  });
};
