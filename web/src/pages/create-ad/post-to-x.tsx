import { Info } from 'lucide-react';
import { useWatch } from 'react-hook-form';
import type { AdValues } from '../../features/ads/ad-form/ad-values.ts';
import { useSiteEnv } from '../../features/site/site-env.ts';
import { PostToXField } from '../../features/x-posting/post-to-x-field.tsx';

interface PostToXProps {
  isTicked: boolean;
  onChange: (isTicked: boolean) => void;
}

/** What happens on X with a new ad: nothing, an offer afterwards, or a post if the seller ticks it. */
export const PostToX = ({ isTicked, onChange }: PostToXProps) => {
  const { xPosting } = useSiteEnv();
  const [title, price] = useWatch<AdValues, ['title', 'price']>({ name: ['title', 'price'] });
  if (xPosting === 'api') return <PostToXField title={title} price={price} isTicked={isTicked} onChange={onChange} />;
  if (xPosting === 'off') return null;
  return (
    <p className="flex items-start gap-2 rounded-control bg-accent p-3 text-sm text-accent-foreground">
      <Info aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      Once your ad is live you can post it to your X account with one click.
    </p>
  );
};
