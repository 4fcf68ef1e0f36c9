import { useState } from 'react';
import { getXPosting } from '../../../../contract/x-posting.ts';
import { useApiQuery } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { useSiteConfig } from '../../lib/site-config.tsx';

// SWR's usual pauses (2 s, 5 s) would miss somebody who consents quickly.
const ON_RETURN = { revalidateOnFocus: true, focusThrottleInterval: 200, dedupingInterval: 200 };

/** How posting to X stands for the signed-in person; read again when they come back from X's consent in another tab. */
export const useXPosting = () => {
  const { user } = useSession();
  const { xPosting } = useSiteConfig();
  const isRead = Boolean(user) && xPosting === 'api';
  return useApiQuery(getXPosting, isRead ? {} : null, ON_RETURN);
};

/** Whether the box "Also post to my X account" is ticked: as the person says now, else as they chose last. */
export const usePostToXChoice = (): [boolean, (isTicked: boolean) => void] => {
  const { data } = useXPosting();
  const [said, setSaid] = useState<boolean>();
  const canPost = data?.status === 'ok';
  return [canPost && (said ?? data.wantsPost), setSaid];
};

/** Starts X's consent for posting; comes back to a page of ours with `?x=…`. */
export const connectUrl = (returnTo: string): string =>
  `/api/auth/twitter/post?returnTo=${encodeURIComponent(returnTo)}`;
