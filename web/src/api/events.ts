import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import type { ThreadMessage } from '../../../contract/messages.ts';

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
const LIVE_EVENT = 'live-event';

let isLive = false;

export const setLive = (value: boolean): void => {
  isLive = value;
  window.dispatchEvent(new Event(STREAM_STATE));
};

export const getLive = (): boolean => isLive;

const subscribe = (onChange: () => void) => {
  window.addEventListener(STREAM_STATE, onChange);
  return () => window.removeEventListener(STREAM_STATE, onChange);
};

/** Whether the event stream is live, so that nothing needs to be polled. */
const useIsLive = (): boolean => useSyncExternalStore(subscribe, getLive, () => false);

export type LiveEvent =
  /** A message that is new or was read, or whose offer changed. */
  | { type: 'message'; message: ThreadMessage }
  /** Something of a conversation changed that the event does not contain. */
  | { type: 'conversation'; adId: string; otherUserId: string }
  /** The stream is live. Events before `since` may have been missed. */
  | { type: 'resumed'; since: number };

export const emitLiveEvent = (event: LiveEvent): void => {
  window.dispatchEvent(new CustomEvent(LIVE_EVENT, { detail: event }));
};

export const useLiveEvents = (handle: (event: LiveEvent) => void): void => {
  const handleNow = useEffectEvent(handle);
  useEffect(() => {
    const handleEvent = (event: Event) => handleNow((event as CustomEvent<LiveEvent>).detail);
    window.addEventListener(LIVE_EVENT, handleEvent);
    return () => window.removeEventListener(LIVE_EVENT, handleEvent);
  }, []);
};

/** Polls every `everyMs` milliseconds (null: never) while the event stream is not live. */
export const useLivePoll = (poll: () => Promise<unknown>, everyMs: number | null): void =>
  usePoll(poll, useIsLive() ? null : everyMs);
