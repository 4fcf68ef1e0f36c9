import { useEffect } from 'react';
import { useSWRConfig } from 'swr';
import { getUnreadCount } from '../../../../../contract/messages.ts';
import { keepStream } from './keep-stream.ts';
import { LIVE_KEY, spreadNews } from './live-events.ts';

/** Hears of messages at once while the tab is shown. A chunk of its own, for signed-in people; renders nothing. */
export const LiveMessages = () => {
  const { mutate } = useSWRConfig();
  useEffect(() => {
    let endStream: (() => void) | undefined;
    let wasLive = false;
    const handleLive = ({ isLive }: { isLive: boolean }) => {
      void mutate(LIVE_KEY, isLive, { revalidate: false });
      // what came since the screen was loaded, or while the stream was away
      if (isLive && !wasLive) spreadNews(null);
      wasLive = isLive;
    };
    const follow = () => {
      handleLive({ isLive: false });
      return keepStream({
        live: handleLive,
        message: spreadNews,
        unread: (count) => void mutate(getUnreadCount.path, count, { revalidate: false }),
      });
    };
    const handleVisibility = () => {
      endStream?.();
      endStream = document.hidden ? undefined : follow();
    };
    handleVisibility();
    document.addEventListener('visibilitychange', handleVisibility);
    return () => {
      document.removeEventListener('visibilitychange', handleVisibility);
      endStream?.();
    };
  }, [mutate]);
  return null;
};
