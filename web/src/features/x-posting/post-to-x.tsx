import { Info } from 'lucide-react';
import type { CreatedAd } from '../../../../contract/ads.ts';
import { lazyWithRetry } from '../../lib/chunks.ts';
import { useSiteConfig } from '../../lib/site-config.tsx';
import type { ToastMessage } from '../../ui/toast/toast.tsx';
import type { PostToXProps } from './post-to-x-field.tsx';

// The form works without it if its code cannot be loaded.
const PostToXField = lazyWithRetry<PostToXProps>(
  () => import('./post-to-x-field.tsx').then((module) => module.PostToXField),
  () => null,
);

export const PostToX = (props: PostToXProps) => {
  const { xPosting } = useSiteConfig();
  if (xPosting === 'api') return <PostToXField {...props} />;
  if (xPosting === 'off') return null;
  return (
    <p className="flex items-start gap-2 rounded-control bg-accent p-3 text-sm text-accent-foreground">
      <Info className="mt-0.5 size-4 shrink-0" />
      Once your ad is live you can post it to your X account with one click.
    </p>
  );
};

const TOAST_MS = 15_000;

export const createdToast = ({ state, postedToX, intentUrl }: CreatedAd): ToastMessage => {
  if (state === 'pending') return { title: 'Ad created!', description: 'Your ad has been submitted for review.' };
  const description = postedToX
    ? 'Your ad has been successfully created and is now live and posted to your X account!'
    : 'Your ad has been successfully created and is now live.';
  if (!intentUrl) return { title: 'Ad created!', description };
  return { title: 'Ad created!', description, duration: TOAST_MS, action: { label: 'Post it on X', href: intentUrl } };
};
