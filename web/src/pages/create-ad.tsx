import { useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router-dom';
import { createAd } from '../../../contract/ads.ts';
import type { Me } from '../../../contract/user.ts';
import { ApiError, apiRequest, createKey, getErrorMessage, hasStatus } from '../api/client.ts';
import { useInvalidateQueries } from '../api/query.ts';
import { useSession } from '../api/session.ts';
import { useInFlightCount } from '../api/use-sending.ts';
import { AdForm } from '../features/ads/form/ad-form.tsx';
import {
  type AdValues,
  EMPTY_AD,
  isSameAd,
  keepAdDraft,
  readAdDraft,
  showFieldErrors,
} from '../features/ads/form/ad-values.ts';
import { CardPreview } from '../features/ads/form/card-preview.tsx';
import { CREATE_RULES, useImages } from '../features/ads/form/use-images.ts';
import { RequireSignIn } from '../features/auth/sign-in.tsx';
import { createdToast, PostToX } from '../features/x-posting/post-to-x-field.tsx';
import { usePostToXChoice } from '../features/x-posting/use-x-posting.ts';
import { draftKey, readStored } from '../lib/storage.ts';
import { PageSkeleton } from '../ui/feedback.tsx';
import { CheckField } from '../ui/form-controls.tsx';
import { useToast } from '../ui/toast/toast-context.ts';

export const CreateAdPage = () => {
  const { user } = useSession();
  return (
    <>
      {user === undefined ? <PageSkeleton /> : null}
      {user === null ? (
        <RequireSignIn title="Please sign in to create an ad" text="You need to be logged in to post ads." />
      ) : null}
      {user ? <CreateAd user={user} /> : null}
    </>
  );
};

const PHOTOS_LOST = 'The photos you chose are lost when you leave. ';

export const CreateAd = ({ user }: { user: Me }) => {
  const { form, sendDraft } = useAdDraft(draftKey(user.id, 'ad'));
  const images = useImages([], CREATE_RULES);
  const [postToX, setPostToX] = usePostToXChoice();
  const idempotencyKey = useRef(createKey());
  const navigate = useNavigate();
  const refresh = useInvalidateQueries();
  const toast = useToast();

  const handleSubmit = async (values: AdValues) => {
    const body = { ...values, postToX, imageUrls: images.values };
    try {
      const ad = await sendDraft(() => apiRequest(createAd, { body, idempotencyKey: idempotencyKey.current }));
      toast(createdToast(ad));
      await refresh('ads', 'myAds', 'profiles');
      return () => void navigate('/dashboard');
    } catch (error) {
      // An answer of the server settles this attempt; without one the same key keeps a second try from posting twice.
      if (error instanceof ApiError) idempotencyKey.current = createKey();
      showFieldErrors(error, form.setError, images.complain);
      const description = hasStatus(error, 401)
        ? 'User not authenticated'
        : getErrorMessage(error, 'Failed to create ad. Please try again.');
      toast.error(description);
      return undefined;
    }
  };

  return (
    <div className="container-page grid grid-cols-1 gap-10 py-6 sm:py-10 lg:grid-cols-[minmax(0,40rem)_18rem] lg:justify-between">
      <div className="min-w-0">
        <h1 className="mb-8 page-heading">Post a New Ad</h1>
        <AdForm
          form={form}
          images={images}
          maxBytesLabel="5MB"
          categoryValue="slug"
          submitLabel="Post Ad"
          busyLabel="Creating..."
          saved={EMPTY_AD}
          unsavedText={`${images.images.length > 0 ? PHOTOS_LOST : ''}Your texts are kept in this tab.`}
          sendingText="Your ad is still being sent. It is posted even if you leave."
          onSubmit={handleSubmit}
          onCancel={() => void navigate('/dashboard')}
          options={
            <>
              <CheckField {...form.register('allowMessages')}>Allow messages through platform</CheckField>
              <PostToX isTicked={postToX} onChange={setPostToX} />
            </>
          }
        />
      </div>
      <CardPreview form={form} cover={images.images[0]?.preview ?? null} user={user} />
    </div>
  );
};

/**
 * The form with what the draft holds, though never with an ad that is on its way, and how to send it. The draft is kept for
 * the tab's life: it survives a reload and a trip to sign-in.
 */
export const useAdDraft = (key: string) => {
  const { isSending, send } = useInFlightCount(key);
  const [beganMeanwhile] = useState(isSending);
  const form = useForm<AdValues>({ defaultValues: beganMeanwhile ? EMPTY_AD : readAdDraft(key, EMPTY_AD) });
  const { watch, reset, getValues } = form;
  useEffect(() => {
    const { unsubscribe } = watch((values) => keepAdDraft(key, values));
    return unsubscribe;
  }, [key, watch]);
  useEffect(() => {
    // If it was refused, it is still a draft.
    if (beganMeanwhile && !isSending && isSameAd(getValues(), EMPTY_AD)) reset(readAdDraft(key, EMPTY_AD));
  }, [beganMeanwhile, isSending, key, reset, getValues]);

  /** Forgets the draft once `work` has sent it, unless another ad was begun meanwhile. */
  const sendDraft = <Sent,>(work: () => Promise<Sent>): Promise<Sent> =>
    send(async () => {
      const stored = readStored('sessionStorage', key);
      const sent = await work();
      if (readStored('sessionStorage', key) === stored) keepAdDraft(key, null);
      return sent;
    });
  return { form, sendDraft };
};
