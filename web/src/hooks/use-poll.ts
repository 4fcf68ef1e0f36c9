import { useEffect, useRef } from 'react';

const SLOWEST = 8;

/**
 * Refreshes every so often: not while the tab is hidden, at once when it is shown again, and more slowly (up to eight
 * times) while it fails. SWR's own refreshInterval stops for good at the first error.
 */
export const usePoll = (refresh: () => Promise<unknown>, everyMs: number | null): void => {
  const latest = useRef(refresh);
  useEffect(() => {
    latest.current = refresh;
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
      await latest.current().then(
        () => {
          slowdown = 1;
        },
        () => {
          slowdown = Math.min(slowdown * 2, SLOWEST);
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
