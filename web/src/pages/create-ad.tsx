import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { type Ad, type CreatedAd, createAd, getAd } from '../../../contract/ads.ts';
import { t } from '../../../contract/i18n.ts';
import type { Paged } from '../../../contract/initial-state.ts';
import type { Me } from '../../../contract/user.ts';
import { listUserAds } from '../../../contract/users.ts';
import { getErrorMessage, hasStatus } from '../api/client.ts';
import { useApiMutation } from '../api/query.ts';
import { useSession } from '../api/session.ts';
import { useFormQuery } from '../api/uncached-query.ts';
import { AdForm } from '../features/ads/form/ad-form.tsx';
import { CHOSEN_LAST, EMPTY_AD, toAdValues, toChoice, useLastChoices } from '../features/ads/form/ad-values.ts';
import type { CardPreviewProps } from '../features/ads/form/card-preview.tsx';
import { useAdForm } from '../features/ads/form/use-ad-form.ts';
import { useCategories } from '../features/ads/use-categories.ts';
import { RequireSignIn } from '../features/auth/sign-in.tsx';
import type { Photos } from '../features/photos/use-photos.ts';
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
  if (user === null) return <RequireSignIn title={t('post.signInToCreate')} text={t('post.signInToCreateText')} />;
  return copy ? <CopyAd key={copy} id={copy} user={user} /> : <CreateAd user={user} />;
};

const toFailure = (error: unknown): string => {
  if (hasStatus(error, 401)) return t('post.notAuthenticated');
  // After a reload the draft keeps its key, but the choice to post to X may differ.
  if (hasStatus(error, 422)) return t('post.alreadyPosted');
  return getErrorMessage(error, t('post.createFailed'));
};

const sayWhatIsKept = ({ isUnsent, list }: Pick<Photos, 'isUnsent' | 'list'>): string => {
  if (isUnsent) return t('post.lostPhotos');
  return list.length > 0 ? t('post.keptTextsAndPhotos') : t('post.keptTexts');
};

interface CreateAdProps {
  user: Me;
  /** The own ad that the form is filled with. */
  copied?: Ad | undefined;
}

const CopyAd = ({ id, user }: { id: string; user: Me }) => {
  const query = useFormQuery(getAd, { params: { id } });
  return (
    <Query of={query} failure={t('post.fetchFailed')} loading={<PageSkeleton />}>
      {(ad) => <CreateAd user={user} copied={ad.userId === user.id ? ad : undefined} />}
    </Query>
  );
};

/** For a browser that does not know the choices of the person's last ad yet. */
const useNewestAd = (userId: string | null): Ad | undefined => {
  const { data } = useFormQuery(listUserAds, userId ? { params: { id: userId }, query: { limit: '1' } } : null);
  return (data as Paged<Ad[]> | undefined)?.items[0];
};

const CreateAd = ({ user, copied }: CreateAdProps) => {
  const categories = useCategories();
  const [postToX, setPostToX] = usePostToXChoice();
  const last = useLastChoices(user.id);
  const [stored] = useState(last.read);
  const newest = useNewestAd(stored || copied ? null : user.id);
  const navigate = useNavigate();
  const create = useApiMutation(createAd);
  const toast = useToast();
  const adForm = useAdForm<CreatedAd>({
    userId: user.id,
    begin: copied ? { values: toAdValues(copied), draft: `copy:${copied.id}` } : { values: stored ?? {}, draft: 'ad' },
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: it comes once
  useEffect(() => {
    if (!newest || apiForm.isRestored) return;
    const late = toChoice(newest);
    const { getValues, setValue } = apiForm.form;
    // in a task of its own: a restart is not for an effect
    const timer = setTimeout(() => {
      if (!apiForm.isUnsaved() && photos.list.length === 0) apiForm.restart({ ...EMPTY_AD, ...late });
      else if (getValues('location') === '') for (const name of CHOSEN_LAST) setValue(name, late[name]);
    });
    return () => clearTimeout(timer);
  }, [newest !== undefined]);

  return (
    <div className="container-page grid grid-cols-1 gap-10 py-6 sm:py-10 lg:grid-cols-[minmax(0,40rem)_18rem] lg:justify-between">
      <div className="min-w-0">
        <div className="mb-8 grid gap-2">
          <h1 className="page-heading">{t('shell.titleCreateAd')}</h1>
          <DraftNotice form={{ ...apiForm, startOver: adForm.startOver }} />
        </div>
        <AdForm
          adForm={adForm}
          categories={categories}
          submitLabel={t('shell.postAd')}
          busyLabel={t('post.creating')}
          confirmLabel={t('post.postAnyway')}
          messagesLabel={t('post.allowMessages')}
          unsavedText={sayWhatIsKept(photos)}
          sendingText={t('post.sendingAd')}
          onCancel={() => void navigate('/dashboard')}
          options={<PostToX isChecked={postToX} onChange={setPostToX} />}
        />
      </div>
      <CardPreview form={apiForm.form} cover={photos.list[0]?.preview ?? null} user={user} />
    </div>
  );
};
