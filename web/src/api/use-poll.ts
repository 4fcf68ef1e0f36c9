import { useEffect, useRef, useSyncExternalStore } from 'react';

const MAX_SLOWDOWN = 8;

/**
 * Calls `refresh` every `everyMs` milliseconds. Pauses while the tab is hidden and polls immediately when it becomes
 * visible. After failures, it slows down up to eight times. (SWR's refreshInterval stops at the first error.)
 */
export const usePoll = (refresh: () => Promise<unknown>, everyMs: number | null): void => {
  const refreshRef = useRef(refresh);
  useEffect(() => {
    refreshRef.current = refresh;
  });
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
      await refreshRef.current().then(
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

const subscribe = (onChange: () => void) => {
  document.addEventListener('visibilitychange', onChange);
  return () => document.removeEventListener('visibilitychange', onChange);
};

export const usePageVisible = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => !document.hidden,
    () => false,
  );
