import type { CreatedAd } from '../../../../contract/ads.ts';
import { lazyWithRetry } from '../../lib/chunks.ts';
import { useSiteConfig } from '../../lib/site-config.tsx';
import type { ToastMessage } from '../../ui/toast/toast-message.ts';
import type { PostToXProps } from './post-to-x-field.tsx';

// The form works without it if its code cannot be loaded.
const PostToXOptions = lazyWithRetry<PostToXProps>(
  () => import('./post-to-x-field.tsx').then((module) => module.PostToXOptions),
  () => null,
);

export const PostToX = (props: PostToXProps) =>
  useSiteConfig().xPosting === 'off' ? null : <PostToXOptions {...props} />;

const TOAST_MS = 15_000;

export const createdToast = ({ state, postedToX, intentUrl }: CreatedAd): ToastMessage => {
  if (state === 'pending') return { title: 'Ad created!', description: 'Your ad has been submitted for review.' };
  const description = postedToX
    ? 'Your ad has been successfully created and is now live and posted to your X account!'
    : 'Your ad has been successfully created and is now live.';
  if (!intentUrl) return { title: 'Ad created!', description };
  return { title: 'Ad created!', description, duration: TOAST_MS, action: { label: 'Post it on X', href: intentUrl } };
};
