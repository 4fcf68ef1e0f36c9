import { useNavigate, useSearchParams } from 'react-router-dom';
import { type Ad, type CreatedAd, createAd, getAd } from '../../../contract/ads.ts';
import type { Me } from '../../../contract/user.ts';
import { getErrorMessage, hasStatus } from '../api/client.ts';
import { useApiMutation } from '../api/query.ts';
import { useSession } from '../api/session.ts';
import { useFormQuery } from '../api/uncached-query.ts';
import { AdForm } from '../features/ads/form/ad-form.tsx';
import { toAdValues, useLastChoices } from '../features/ads/form/ad-values.ts';
import type { CardPreviewProps } from '../features/ads/form/card-preview.tsx';
import { useAdForm } from '../features/ads/form/use-ad-form.ts';
import { useCategories } from '../features/ads/use-categories.ts';
import { RequireSignIn } from '../features/auth/sign-in.tsx';
import { createdToast, PostToX } from '../features/x-posting/post-to-x.tsx';
import { usePostToXChoice } from '../features/x-posting/use-x-posting.ts';
import { lazyWithRetry } from '../lib/chunks.ts';
import { DraftNotice } from '../ui/draft-notice.tsx';
import { PageSkeleton } from '../ui/feedback.tsx';
import { Query } from '../ui/query.tsx';
import { useToast } from '../ui/toast/toast.tsx';

// Only wide screens show it, and the form works without it.
const CardPreview = lazyWithRetry<CardPreviewProps>(
  () => import('../features/ads/form/card-preview.tsx').then((module) => module.CardPreview),
  () => null,
);

export const CreateAdPage = () => {
  const { user } = useSession();
  const copy = useSearchParams()[0].get('copy');
  if (user === undefined) return <PageSkeleton />;
  if (user === null)
    return <RequireSignIn title="Please sign in to create an ad" text="You need to be logged in to post ads." />;
  return copy ? <CopyAd key={copy} id={copy} user={user} /> : <CreateAd user={user} />;
};

const toFailure = (error: unknown): string => {
  if (hasStatus(error, 401)) return 'User not authenticated';
  // After a reload the draft keeps its key, but the choice to post to X may differ.
  if (hasStatus(error, 422)) return 'This ad is already posted. To post another one, press Post Ad again.';
  return getErrorMessage(error, 'Failed to create ad. Please try again.');
};

const PHOTOS_LOST = 'Photos that are not uploaded yet are lost when you leave. ';

interface CreateAdProps {
  user: Me;
  /** The own ad that the form is filled with. */
  copied?: Ad | undefined;
}

const CopyAd = ({ id, user }: { id: string; user: Me }) => {
  const query = useFormQuery(getAd, { params: { id } });
  return (
    <Query of={query} failure="Failed to fetch the ad" loading={<PageSkeleton />}>
      {(ad) => <CreateAd user={user} copied={ad.userId === user.id ? ad : undefined} />}
    </Query>
  );
};

const CreateAd = ({ user, copied }: CreateAdProps) => {
  const categories = useCategories();
  const [postToX, setPostToX] = usePostToXChoice();
  const last = useLastChoices(user.id);
  const navigate = useNavigate();
  const create = useApiMutation(createAd);
  const toast = useToast();
  const adForm = useAdForm<CreatedAd>({
    userId: user.id,
    begin: copied
      ? { values: toAdValues(copied), draft: `copy:${copied.id}` }
      : { values: last.read() ?? {}, draft: 'ad' },
    attachments: [postToX],
    send: (body, { idempotencyKey }) => create({ body: { ...body, postToX }, idempotencyKey }),
    onSent: async (ad, { isLeft }) => {
      last.write(ad);
      toast(createdToast(ad));
      // Back does not open an empty form.
      if (!isLeft) await navigate('/dashboard', { replace: true, state: { posted: ad } });
    },
    onRefused: (error) => toast.error(toFailure(error)),
  });
  const { apiForm, photos } = adForm;

  return (
    <div className="container-page grid grid-cols-1 gap-10 py-6 sm:py-10 lg:grid-cols-[minmax(0,40rem)_18rem] lg:justify-between">
      <div className="min-w-0">
        <div className="mb-8 grid gap-2">
          <h1 className="page-heading">Post a New Ad</h1>
          <DraftNotice form={{ ...apiForm, startOver: adForm.startOver }} />
        </div>
        <AdForm
          adForm={adForm}
          categories={categories}
          submitLabel="Post Ad"
          busyLabel="Creating..."
          confirmLabel="Post anyway"
          messagesLabel="Allow messages through platform"
          unsavedText={`${photos.isUnsent ? PHOTOS_LOST : ''}Your texts ${photos.list.length > 0 ? 'and photos ' : ''}are kept in this tab.`}
          sendingText="Your ad is still being sent. It is posted even if you leave."
          onCancel={() => void navigate('/dashboard')}
          options={<PostToX isChecked={postToX} onChange={setPostToX} />}
        />
      </div>
      <CardPreview form={apiForm.form} cover={photos.list[0]?.preview ?? null} user={user} />
    </div>
  );
};
