import { Info } from 'lucide-react';
import { useEffect } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { AdValues } from '../../features/ads/ad-form/ad-values.ts';
import { useSiteEnv } from '../../features/site/site-env.ts';
import { readStored, writeStored } from '../../lib/storage.ts';
import { Checkbox } from '../../ui/checkbox.tsx';

const KEY = 'postToX';

/** Keeps the seller's choice for the next ad. */
export const rememberPostToX = (chosen: boolean): void => writeStored('localStorage', KEY, chosen ? 'yes' : null);

/** What happens on X with a new ad: nothing, an offer afterwards, or a post if the seller ticks it. */
export const PostToX = ({ form }: { form: UseFormReturn<AdValues> }) => {
  const { xPosting } = useSiteEnv();
  useEffect(() => {
    if (xPosting === 'api') form.setValue('postToX', readStored('localStorage', KEY) === 'yes');
  }, [xPosting, form]);
  if (xPosting === 'off') return null;
  return (
    <>
      {xPosting === 'api' ? <Checkbox {...form.register('postToX')}>Also post to my X account</Checkbox> : null}
      <p className="flex items-start gap-2 rounded-control bg-accent p-3 text-sm text-accent-foreground">
        <Info aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        {xPosting === 'api'
          ? 'When ticked, your ad will be auto-posted to your X account: its title, price and a link.'
          : 'Once your ad is live you can share it on your X account with one click.'}
      </p>
    </>
  );
};
