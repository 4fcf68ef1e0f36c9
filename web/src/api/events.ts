import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { MessageEventData } from '../../../contract/messages.ts';
import { usePoll } from './use-poll.ts';

// Window events, because the event stream is a chunk of its own (features/messages/event-stream.tsx).
const STREAM_STATE = 'event-stream-state';
const MESSAGE = 'message-event';

let isLive = false;

/** Records whether message events are delivered at once. */
export const setLive = (value: boolean): void => {
  isLive = value;
  window.dispatchEvent(new Event(STREAM_STATE));
};

const subscribe = (onChange: () => void) => {
  window.addEventListener(STREAM_STATE, onChange);
  return () => window.removeEventListener(STREAM_STATE, onChange);
};

/** True while message events are delivered at once, so that polls may be rare. */
export const useIsLive = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => isLive,
    () => false,
  );

/** Milliseconds between two polls while the stream is live: a safety net. */
export const LIVE_POLL_MS = 120_000;

export const getPollInterval = (everyMs: number, live: boolean): number =>
  live ? Math.max(everyMs, LIVE_POLL_MS) : everyMs;

/** Tells the page of a message; null where any number may have come while the stream was interrupted. */
export const emitMessageEvent = (message: MessageEventData | null): void => {
  window.dispatchEvent(new CustomEvent(MESSAGE, { detail: message }));
};

const useMessageEvents = (handle: (message: MessageEventData | null) => void): void => {
  const handleRef = useRef(handle);
  useEffect(() => {
    handleRef.current = handle;
  });
  useEffect(() => {
    const handleEvent = (event: Event) => handleRef.current((event as CustomEvent<MessageEventData | null>).detail);
    window.addEventListener(MESSAGE, handleEvent);
    return () => window.removeEventListener(MESSAGE, handleEvent);
  }, []);
};

/**
 * Polls every `everyMs` milliseconds (null: never), and rarely while the event stream is live. `onMessage` is called for
 * each message event; where events may have been missed, `poll` is called instead.
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
    // The next poll makes up for a failure.
    (message === null ? poll() : onMessage(message))?.catch(() => {});
  });
};
