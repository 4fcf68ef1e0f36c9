import { ArrowLeft, SearchX } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link, Navigate, useNavigate, useParams } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { type Ad, getAd, updateAd } from '../../../contract/ads.ts';
import { toUrl } from '../../../contract/initial-state.ts';
import { ApiError, apiRequest, getErrorMessage } from '../api/client.ts';
import { fetchForQuery, useApiQuery, useInvalidateQueries } from '../api/query.ts';
import { useSession } from '../api/session.ts';
import { useInFlightCount } from '../api/use-sending.ts';
import { AdForm } from '../features/ads/form/ad-form.tsx';
import { type AdValues, isSameAd, keepAdDraft, readAdDraft, showFieldErrors } from '../features/ads/form/ad-values.ts';
import { EDIT_RULES, useImages } from '../features/ads/form/use-images.ts';
import { RequireSignIn } from '../features/auth/sign-in.tsx';
import { draftKey } from '../lib/storage.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState, PageSkeleton } from '../ui/feedback.tsx';
import { CheckField } from '../ui/form-controls.tsx';
import { useToast } from '../ui/toast/toast-context.ts';

export const EditAdPage = () => (
  <>
    <EditAdContent />
  </>
);

const EditAdContent = () => {
  const { id = '' } = useParams();
  const { user } = useSession();
  const { data: ad, error } = useApiQuery(getAd, user ? { params: { id } } : null);
  if (user === null) return <RequireSignIn title="Please sign in to edit ads" />;
  if (error) return <AdNotFound />;
  if (!user || !ad) return <PageSkeleton />;
  return user.id === ad.userId ? <EditAd key={ad.id} ad={ad} /> : <NotTheOwner />;
};

const AdNotFound = () => (
  <div className="container-page py-16">
    <EmptyState heading="h1" icon={SearchX} title="Ad not found">
      <Button asChild>
        <Link to="/dashboard">Back to Dashboard</Link>
      </Button>
    </EmptyState>
  </div>
);

const KEPT = '\nYour texts are kept in this tab.';

/** The form, opened anew while an update is on its way only after that: what it began with would take the update back. */
export const EditAd = ({ ad }: { ad: Ad }) => {
  const { isSending, send } = useInFlightCount(`ad ${ad.id}`);
  const [isOpen, setOpen] = useState(!isSending);
  if (!isOpen && !isSending) setOpen(true);
  return isOpen ? <EditForm ad={ad} send={send} /> : <PageSkeleton />;
};

const EditForm = ({ ad, send }: { ad: Ad; send: ReturnType<typeof useInFlightCount>['send'] }) => {
  const { form, saved, sendChanges, isLeft } = useAdChanges(ad, send);
  const images = useImages(ad.images, EDIT_RULES);
  const navigate = useNavigate();
  const refresh = useInvalidateQueries();
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
      const description = getErrorMessage(error, 'Failed to update ad. Please try again.') + (isLeft() ? KEPT : '');
      toast.error(description);
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
        <h1 className="mt-3 mb-8 page-heading">Edit Your Ad</h1>
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

/** Sends those away who do not own the ad. */
export const NotTheOwner = () => {
  const toast = useToast();
  useEffect(() => toast.error('You can only edit your own ads.', 'Access denied'), [toast]);
  return <Navigate to="/dashboard" replace />;
};

const valuesOf = (ad: Ad): AdValues => ({
  title: ad.title,
  description: ad.description,
  price: String(Number(ad.price)),
  category: ad.category,
  location: ad.location ?? '',
  externalLink: ad.externalLink ?? '',
  allowMessages: ad.allowMessages,
});

/**
 * The form of an ad, and how to send it. The tab keeps the texts that are on their way: if they are refused after the form
 * was left, they are in it when it is next opened.
 */
export const useAdChanges = (ad: Ad, send: ReturnType<typeof useInFlightCount>['send']) => {
  const [saved] = useState(() => valuesOf(ad));
  const form = useForm<AdValues>({ defaultValues: saved });
  const isOpen = useRef(true);
  const { mutate } = useSWRConfig();
  const toast = useToast();
  const { reset } = form;
  const params = { id: ad.id };
  const key = draftKey(ad.userId, `ad:${ad.id}`);

  useEffect(() => {
    isOpen.current = true;
    const unsaved = readAdDraft(key, saved);
    keepAdDraft(key, null);
    if (!isSameAd(unsaved, saved)) {
      reset(unsaved, { keepDefaultValues: true });
      toast({ title: 'Your changes are back', description: 'They were sent, but perhaps not saved.' });
    }
    return () => {
      isOpen.current = false;
    };
  }, [key, saved, reset, toast]);

  const sendChanges = (values: AdValues, imageUrls: string[]): Promise<void> =>
    send(async () => {
      keepAdDraft(key, values);
      try {
        const updated = await apiRequest(updateAd, { params, body: { ...values, imageUrls } });
        keepAdDraft(key, null);
        await mutate(toUrl(getAd, { params }), updated, { revalidate: false });
      } catch (error) {
        // Where the server has not said so itself, the ad may be the new one.
        if (!(error instanceof ApiError && error.reply)) await readAgain();
        // A form that is still there has them itself.
        if (isOpen.current) keepAdDraft(key, null);
        throw error;
      }
    });
  const readAgain = () =>
    mutate(toUrl(getAd, { params }), fetchForQuery(getAd, { params }), { revalidate: false }).catch(() => {});

  return { form, saved, sendChanges, isLeft: () => !isOpen.current };
};
