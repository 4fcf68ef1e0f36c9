import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { Ad } from '../../../../contract/ads.ts';
import { messageOf } from '../../api/api-error.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useSending } from '../../api/use-sending.ts';
import { AdForm } from '../../features/ads/ad-form/ad-form.tsx';
import { type AdValues, showFieldErrors } from '../../features/ads/ad-form/ad-values.ts';
import { EDIT_RULES } from '../../features/ads/ad-form/images/admit-files.ts';
import { useImages } from '../../features/ads/ad-form/images/use-images.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField } from '../../ui/checkbox.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';
import { useAdChanges } from './use-ad-changes.ts';

const KEPT = '\nYour texts are kept in this tab.';

/** The form, opened anew while an update is on its way only after that: what it began with would take the update back. */
export const EditAd = ({ ad }: { ad: Ad }) => {
  const { isSending, send } = useSending(`ad ${ad.id}`);
  const [isOpen, setOpen] = useState(!isSending);
  if (!isOpen && !isSending) setOpen(true);
  return isOpen ? <EditForm ad={ad} send={send} /> : <PageSkeleton />;
};

const EditForm = ({ ad, send }: { ad: Ad; send: ReturnType<typeof useSending>['send'] }) => {
  const { form, saved, sendChanges, isLeft } = useAdChanges(ad, send);
  const images = useImages(ad.images, EDIT_RULES);
  const navigate = useNavigate();
  const refresh = useRefresh();
  const toast = useToast();
  const page = `/ads/${ad.id}`;

  const handleSubmit = async (values: AdValues) => {
    try {
      await sendChanges(values, images.values);
      toast({ title: 'Success!', description: 'Your ad has been updated successfully.' });
      void refresh('ads', 'myAds', 'profiles', 'favorites');
      return () => void navigate(page);
    } catch (error) {
      showFieldErrors(error, form.setError, images.complain);
      const description = messageOf(error, 'Failed to update ad. Please try again.') + (isLeft() ? KEPT : '');
      toast({ title: 'Error', description, variant: 'destructive' });
      return undefined;
    }
  };

  return (
    <div className="container-page py-6 sm:py-10">
      <div className="mx-auto max-w-160">
        <Button asChild variant="ghost" className="-ml-3">
          <Link to={page}>
            <ArrowLeft aria-hidden="true" />
            Back to Ad
          </Link>
        </Button>
        <h1 className="mt-3 mb-8 text-3xl font-semibold tracking-tight md:text-4xl">Edit Your Ad</h1>
        <AdForm
          form={form}
          images={images}
          maxBytesLabel="10MB"
          categoryValue="name"
          submitLabel="Update Ad"
          busyLabel="Updating..."
          saved={saved}
          unsavedText="Your changes to this ad are not saved."
          sendingText="Your changes are still being sent. They are saved even if you leave."
          onSubmit={handleSubmit}
          onCancel={() => void navigate(page)}
          options={<CheckField {...form.register('allowMessages')}>Allow messages from interested buyers</CheckField>}
        />
      </div>
    </div>
  );
};
