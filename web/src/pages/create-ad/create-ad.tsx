import { useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { createAd } from '../../../../contract/ads.ts';
import type { Me } from '../../../../contract/user.ts';
import { ApiError, hasStatus, messageOf } from '../../api/api-error.ts';
import { call, createKey } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { AdForm } from '../../features/ads/ad-form/ad-form.tsx';
import { type AdValues, EMPTY_AD, showFieldErrors } from '../../features/ads/ad-form/ad-values.ts';
import { CREATE_RULES } from '../../features/ads/ad-form/images/admit-files.ts';
import { useImages } from '../../features/ads/ad-form/images/use-images.ts';
import { createdToast } from '../../features/x-posting/created-toast.ts';
import { usePostToXChoice } from '../../features/x-posting/use-x-posting.ts';
import { draftKey } from '../../lib/storage.ts';
import { CheckField } from '../../ui/checkbox.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';
import { CardPreview } from './card-preview.tsx';
import { PostToX } from './post-to-x.tsx';
import { useAdDraft } from './use-ad-draft.ts';

const PHOTOS_LOST = 'The photos you chose are lost when you leave. ';

export const CreateAd = ({ user }: { user: Me }) => {
  const { form, sendDraft } = useAdDraft(draftKey(user.id, 'ad'));
  const images = useImages([], CREATE_RULES);
  const [postToX, setPostToX] = usePostToXChoice();
  const idempotencyKey = useRef(createKey());
  const navigate = useNavigate();
  const refresh = useRefresh();
  const toast = useToast();

  const handleSubmit = async (values: AdValues) => {
    const body = { ...values, postToX, imageUrls: images.values };
    try {
      const ad = await sendDraft(() => call(createAd, { body, idempotencyKey: idempotencyKey.current }));
      toast(createdToast(ad));
      await refresh('ads', 'myAds', 'profiles');
      return () => void navigate('/dashboard');
    } catch (error) {
      // An answer of the server settles this attempt; without one the same key keeps a second try from posting twice.
      if (error instanceof ApiError) idempotencyKey.current = createKey();
      showFieldErrors(error, form.setError, images.complain);
      const description = hasStatus(error, 401)
        ? 'User not authenticated'
        : messageOf(error, 'Failed to create ad. Please try again.');
      toast({ title: 'Error', description, variant: 'destructive' });
      return undefined;
    }
  };

  return (
    <div className="container-page grid grid-cols-1 gap-10 py-6 sm:py-10 lg:grid-cols-[minmax(0,40rem)_18rem] lg:justify-between">
      <div className="min-w-0">
        <h1 className="mb-8 text-3xl font-semibold tracking-tight md:text-4xl">Post a New Ad</h1>
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
