import type { MessageNews } from '../../../../../contract/messages.ts';
import { usePoll } from '../../../lib/use-poll.ts';
import { paceOf, useIsLive, useNews } from './live-state.ts';

/** Refreshes at once on news that concern what is shown, and every so often: rarely while the stream is healthy. */
export const useLivePoll = (
  refresh: () => Promise<unknown>,
  everyMs: number | null,
  concerns: (news: MessageNews) => boolean,
): void => {
  const isLive = useIsLive();
  usePoll(refresh, everyMs === null ? null : paceOf(everyMs, isLive));
  useNews((news) => {
    // a refresh that fails is made up for by the next poll
    if (everyMs !== null && (news === null || concerns(news))) refresh().catch(() => {});
  });
};
