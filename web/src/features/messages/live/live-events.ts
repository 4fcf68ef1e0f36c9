import { useEffect, useRef } from 'react';
import useSWR from 'swr';
import type { MessageEventData } from '../../../../../contract/messages.ts';
import { usePoll } from '../../../hooks/use-poll.ts';

/** Where the cache holds whether the event stream is healthy. */
export const LIVE_KEY = 'messages-are-live';

/** True while news come at once, so that nobody has to ask for them. */
export const useIsLive = (): boolean => useSWR<boolean>(LIVE_KEY, null).data ?? false;

/** How often to ask all the same while they do: for what no stream can promise. */
export const LIVE_POLL_MS = 120_000;

/** Time between two polls: what the screen wants, and much more while the stream makes them needless. */
export const getPollInterval = (everyMs: number, isLive: boolean): number =>
  isLive ? Math.max(everyMs, LIVE_POLL_MS) : everyMs;

const NEWS = 'message-news';

/** Tells what is on screen of a message; null where any may have come. */
export const emitMessageEvent = (news: MessageEventData | null): void => {
  window.dispatchEvent(new CustomEvent(NEWS, { detail: news }));
};

export const useMessageEvents = (hear: (news: MessageEventData | null) => void): void => {
  const latest = useRef(hear);
  useEffect(() => {
    latest.current = hear;
  });
  useEffect(() => {
    const handleNews = (event: Event) => latest.current((event as CustomEvent<MessageEventData | null>).detail);
    window.addEventListener(NEWS, handleNews);
    return () => window.removeEventListener(NEWS, handleNews);
  }, []);
};

/** Refreshes at once on news that concern what is shown, and every so often: rarely while the stream is healthy. */
export const useLivePoll = (
  refresh: () => Promise<unknown>,
  everyMs: number | null,
  concerns: (news: MessageEventData) => boolean,
): void => {
  const isLive = useIsLive();
  usePoll(refresh, everyMs === null ? null : getPollInterval(everyMs, isLive));
  useMessageEvents((news) => {
    // a refresh that fails is made up for by the next poll
    if (everyMs !== null && (news === null || concerns(news))) refresh().catch(() => {});
  });
};
