import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { createAd } from '../../../contract/ads.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { Me } from '../../../contract/user.ts';
import { ApiError, getErrorMessage, hasStatus } from '../api/client.ts';
import { useApiMutation } from '../api/query.ts';
import { useSession } from '../api/session.ts';
import { useApiForm } from '../api/use-api-form.ts';
import { AdForm } from '../features/ads/form/ad-form.tsx';
import {
  type AdValues,
  EMPTY_AD,
  getImageError,
  toAdMessage,
  useAdDetails,
  withoutDetails,
} from '../features/ads/form/ad-values.ts';
import type { CardPreviewProps } from '../features/ads/form/card-preview.tsx';
import { useAdPhotos } from '../features/ads/form/use-ad-photos.ts';
import { useCategories } from '../features/ads/use-categories.ts';
import { RequireSignIn } from '../features/auth/sign-in.tsx';
import { countImages, type PhotoRules } from '../features/photos/use-photos.ts';
import { createdToast, PostToX } from '../features/x-posting/post-to-x.tsx';
import { usePostToXChoice } from '../features/x-posting/use-x-posting.ts';
import { lazyWithRetry } from '../lib/chunks.ts';
import { draftKey } from '../lib/draft.ts';
import { DraftNotice } from '../ui/draft-notice.tsx';
import { PageSkeleton } from '../ui/feedback.tsx';
import { CheckField } from '../ui/form-controls.tsx';
import { useToast } from '../ui/toast/toast.tsx';

// Only wide screens show it, and the form works without it.
const CardPreview = lazyWithRetry<CardPreviewProps>(
  () => import('../features/ads/form/card-preview.tsx').then((module) => module.CardPreview),
  () => null,
);

export const CREATE_RULES: PhotoRules = {
  maxBytes: LIMITS.imageBytesCreate,
  tooMany: (max) => ({
    title: 'Maximum images reached',
    description: `You can only upload up to ${countImages(max)} per ad.`,
  }),
  notAnImage: { title: 'Invalid file type', description: 'Please select only image files.' },
  tooLarge: { title: 'File too large', description: 'Images must be less than 5MB each.' },
};

export const CreateAdPage = () => {
  const { user } = useSession();
  if (user === undefined) return <PageSkeleton />;
  if (user === null)
    return <RequireSignIn title="Please sign in to create an ad" text="You need to be logged in to post ads." />;
  return <CreateAd user={user} />;
};

const toFailure = (error: unknown): string => {
  if (hasStatus(error, 401)) return 'User not authenticated';
  // After a reload the draft keeps its key, but the choice to post to X may differ.
  if (hasStatus(error, 422)) return 'This ad is already posted. To post another one, press Post Ad again.';
  return getErrorMessage(error, 'Failed to create ad. Please try again.');
};

/** The path of the own ad that is too similar, if that is why the server refused. */
const getSimilarAd = (error: unknown): string | undefined =>
  error instanceof ApiError ? error.reply?.fields?.similarAd : undefined;

const PHOTOS_LOST = 'Photos that are not uploaded yet are lost when you leave. ';

const CreateAd = ({ user }: { user: Me }) => {
  const categories = useCategories();
  const adDetails = useAdDetails();
  const [postToX, setPostToX] = usePostToXChoice();
  const apiForm = useApiForm<AdValues>({
    endpoint: createAd,
    toBody: withoutDetails,
    findProblems: adDetails.findProblems,
    toMessage: toAdMessage,
    saved: EMPTY_AD,
    attachments: [postToX],
    draft: { key: draftKey(user.id, 'ad'), since: 'typed' },
  });
  const photos = useAdPhotos(apiForm.form, CREATE_RULES);
  const [similarAd, setSimilarAd] = useState<string>();
  const navigate = useNavigate();
  const create = useApiMutation(createAd);
  const toast = useToast();

  const handleSubmit = apiForm.createSubmit({
    send: async (values, { idempotencyKey }) => {
      setSimilarAd(undefined);
      const body = await adDetails.toBody(values);
      return create({ body: { ...body, postToX }, idempotencyKey });
    },
    onSent: async (ad, { isLeft }) => {
      toast(createdToast(ad));
      // Back does not open an empty form.
      if (!isLeft) await navigate('/dashboard', { replace: true });
    },
    onRefused: (error) => {
      photos.setError(getImageError(error));
      const similar = getSimilarAd(error);
      setSimilarAd(similar);
      if (similar === undefined) toast.error(toFailure(error));
    },
  });

  const handleStartOver = () => {
    apiForm.startOver();
    photos.clear();
  };

  return (
    <div className="container-page grid grid-cols-1 gap-10 py-6 sm:py-10 lg:grid-cols-[minmax(0,40rem)_18rem] lg:justify-between">
      <div className="min-w-0">
        <div className="mb-8 grid gap-2">
          <h1 className="page-heading">Post a New Ad</h1>
          <DraftNotice form={{ ...apiForm, startOver: handleStartOver }} />
        </div>
        <AdForm
          apiForm={apiForm}
          photos={photos}
          maxBytesLabel="5MB"
          categories={categories}
          submitLabel="Post Ad"
          busyLabel="Creating..."
          unsavedText={`${photos.isUnsent ? PHOTOS_LOST : ''}Your texts ${photos.list.length > 0 ? 'and photos ' : ''}are kept in this tab.`}
          sendingText="Your ad is still being sent. It is posted even if you leave."
          onSubmit={handleSubmit}
          onCancel={() => void navigate('/dashboard')}
          options={
            <>
              <CheckField {...apiForm.form.register('allowMessages')}>Allow messages through platform</CheckField>
              <PostToX isChecked={postToX} onChange={setPostToX} />
              {similarAd ? (
                <p role="alert" className="rounded-control bg-surface p-3 text-sm">
                  You already have a similar ad.{' '}
                  <Link to={similarAd} className="text-link underline">
                    View that ad
                  </Link>
                </p>
              ) : null}
            </>
          }
        />
      </div>
      <CardPreview form={apiForm.form} cover={photos.list[0]?.preview ?? null} user={user} />
    </div>
  );
};
