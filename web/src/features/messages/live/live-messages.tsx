import { useEffect } from 'react';
import { useSWRConfig } from 'swr';
import { getUnreadCount } from '../../../../../contract/messages.ts';
import { connectEventStream } from './connect-event-stream.ts';
import { emitMessageEvent, LIVE_KEY } from './live-events.ts';

/** Hears of messages at once while the tab is shown. A chunk of its own, for signed-in people; renders nothing. */
export const LiveMessages = () => {
  const { mutate } = useSWRConfig();
  useEffect(() => {
    let endStream: (() => void) | undefined;
    let wasLive = false;
    const handleLive = ({ isLive }: { isLive: boolean }) => {
      void mutate(LIVE_KEY, isLive, { revalidate: false });
      // what came since the screen was loaded, or while the stream was away
      if (isLive && !wasLive) emitMessageEvent(null);
      wasLive = isLive;
    };
    const follow = () => {
      handleLive({ isLive: false });
      return connectEventStream({
        live: handleLive,
        message: emitMessageEvent,
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
