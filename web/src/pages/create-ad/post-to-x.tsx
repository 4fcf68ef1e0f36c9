import { Info } from 'lucide-react';
import { useEffect } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { AdValues } from '../../features/ads/ad-form/ad-values.ts';
import { useSiteEnv } from '../../features/site/site-env.ts';
import { PostToXField } from '../../features/x-posting/post-to-x-field.tsx';
import { usePostToXChoice } from '../../features/x-posting/use-x-posting.ts';

/** What happens on X with a new ad: nothing, an offer afterwards, or a post if the seller ticks it. */
export const PostToX = ({ form }: { form: UseFormReturn<AdValues> }) => {
  const { xPosting } = useSiteEnv();
  const [isTicked, setTicked] = usePostToXChoice();
  const [title, price] = form.watch(['title', 'price']);
  useEffect(() => form.setValue('postToX', isTicked), [isTicked, form]);
  if (xPosting === 'api') return <PostToXField title={title} price={price} isTicked={isTicked} onChange={setTicked} />;
  if (xPosting === 'off') return null;
  return (
    <p className="flex items-start gap-2 rounded-control bg-accent p-3 text-sm text-accent-foreground">
      <Info aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      Once your ad is live you can share it on your X account with one click.
    </p>
  );
};
