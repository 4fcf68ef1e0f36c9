import type { CreatedAd } from '../../../../contract/ads.ts';
import { t } from '../../../../contract/i18n.ts';
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
  if (state === 'pending') return { title: t('post.created'), description: t('post.createdForReview') };
  const description = postedToX ? t('post.createdOnX') : t('post.createdLive');
  if (!intentUrl) return { title: t('post.created'), description };
  const action = { label: t('post.postItOnX'), href: intentUrl };
  return { title: t('post.created'), description, duration: TOAST_MS, action };
};
