import type { CreatedAd } from '../../../../contract/ads.ts';
import type { ToastMessage } from '../../ui/toast/toast-context.ts';

const LINGER_MS = 15_000;

/** What is said of a new ad: never more of X than what was really queued, or a button that opens X's own composer. */
export const createdToast = ({ state, postedToX, intentUrl }: CreatedAd): ToastMessage => {
  if (state === 'pending') return { title: 'Ad created!', description: 'Your ad has been submitted for review.' };
  const description = postedToX
    ? 'Your ad has been successfully created and is now live and posted to your X account!'
    : 'Your ad has been successfully created and is now live.';
  if (!intentUrl) return { title: 'Ad created!', description };
  return { title: 'Ad created!', description, duration: LINGER_MS, action: { label: 'Post it on X', href: intentUrl } };
};
