import { useState } from 'react';
import { X_SIGN_IN } from '../../../../contract/auth.ts';
import { getXPosting } from '../../../../contract/x-posting.ts';
import { useApiQuery } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { useSiteConfig } from '../../lib/site-config.tsx';

// SWR's default throttling would miss a quick consent.
const ON_RETURN = { revalidateOnFocus: true, focusThrottleInterval: 200, dedupingInterval: 200 };

/** The user's settings for posting to X. Refetched when the user returns from X's consent in another tab. */
export const useXPosting = () => {
  const { user } = useSession();
  const { xPosting } = useSiteConfig();
  const isRead = Boolean(user) && xPosting === 'api';
  return useApiQuery(getXPosting, isRead ? {} : null, ON_RETURN);
};

/** Whether "Also post to my X account" is checked: the choice in this form, or else the last choice. */
export const usePostToXChoice = (): [boolean, (isChecked: boolean) => void] => {
  const { data } = useXPosting();
  const [choice, setChoice] = useState<boolean>();
  const canPost = data?.status === 'ok';
  return [canPost && (choice ?? data.wantsPost), setChoice];
};

export const connectUrl = (returnTo: string): string => `${X_SIGN_IN.post}?returnTo=${encodeURIComponent(returnTo)}`;
