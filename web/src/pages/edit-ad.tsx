import { ArrowLeft, Search } from 'lucide-react';
import { type MouseEvent, useEffect, useState } from 'react';
import { Navigate, useLocation, useNavigate, useParams } from 'react-router-dom';
import { type Ad, getAd, updateAd } from '../../../contract/ads.ts';
import { t } from '../../../contract/i18n.ts';
import { TITLES } from '../../../contract/pages.ts';
import { getErrorMessage, hasStatus } from '../api/client.ts';
import { fetchForQuery, useApiMutation } from '../api/query.ts';
import { useQueryWriter } from '../api/query-writer.ts';
import { useSession } from '../api/session.ts';
import { useFormQuery } from '../api/uncached-query.ts';
import { waitUntilSent } from '../api/use-form-draft.ts';
import { sendVersioned, VersionConflict } from '../api/versioned.ts';
import { AdForm } from '../features/ads/form/ad-form.tsx';
import { toAdValues, toContent } from '../features/ads/form/ad-values.ts';
import { useAdForm } from '../features/ads/form/use-ad-form.ts';
import { useCategoriesOf } from '../features/ads/use-categories.ts';
import { RequireSignIn } from '../features/auth/sign-in.tsx';
import { draftKey } from '../lib/draft.ts';
import { PageTitle } from '../lib/site-config.tsx';
import { LinkButton } from '../ui/button.tsx';
import { EmptyPage, PageSkeleton } from '../ui/feedback.tsx';
import { lazyOverlay } from '../ui/lazy-overlays.tsx';
import { Query } from '../ui/query.tsx';
import { useToast } from '../ui/toast/toast.tsx';

const AdConflictDialog = lazyOverlay(() =>
  import('../features/ads/form/ad-conflict.tsx').then((module) => module.AdConflictDialog),
);

const getAdDraftKey = (userId: string, adId: string) => draftKey(userId, `ad:${adId}`);

export const EditAdPage = () => {
  const { id = '' } = useParams();
  const { user } = useSession();
  const query = useFormQuery(getAd, user ? { params: { id } } : null, () =>
    waitUntilSent(getAdDraftKey(user?.id ?? '', id)),
  );
  if (user === null) return <RequireSignIn title={t('post.signInToEdit')} />;
  return (
    <Query
      of={query}
      failure={t('post.fetchFailed')}
      refusal={(error) => (hasStatus(error, 404) ? <AdNotFound /> : undefined)}
      loading={<PageSkeleton />}
    >
      {(ad) =>
        ad.userId === user?.id ? (
          <EditAd key={ad.version} ad={ad} onReread={(saved) => void query.mutate(saved, { revalidate: false })} />
        ) : (
          <NotTheOwner />
        )
      }
    </Query>
  );
};

const AdNotFound = () => (
  <EmptyPage icon={Search} title={TITLES.adNotFound}>
    <PageTitle title={TITLES.adNotFound} />
    <LinkButton to="/dashboard">{t('post.backToDashboard')}</LinkButton>
  </EmptyPage>
);

const NotTheOwner = () => {
  const toast = useToast();
  useEffect(() => toast.error(t('post.notYours'), t('post.accessDenied')), [toast]);
  return <Navigate to="/dashboard" replace />;
};

/** Leads to the ad and takes the form out of the history, so that Back never opens it again. */
const useLeave = (adId: string) => {
  const navigate = useNavigate();
  const { state } = useLocation();
  return () => (state?.isFromAd ? navigate(-1) : navigate(`/ads/${adId}`, { replace: true }));
};

const EditAd = ({ ad, onReread }: { ad: Ad; onReread: (saved: Ad) => void }) => {
  const categories = useCategoriesOf(ad);
  const [conflicting, setConflicting] = useState<Ad>();
  const write = useQueryWriter();
  const leave = useLeave(ad.id);
  const update = useApiMutation(updateAd);
  const toast = useToast();
  const params = { id: ad.id };
  const adForm = useAdForm<Ad>({
    userId: ad.userId,
    ad,
    send: async (body, { version }, { isRestored }) => {
      const mine = toContent(body);
      return sendVersioned({
        version,
        put: (last) => update({ params, body: { ...body, version: last } }),
        reread: () => fetchForQuery(getAd, { params }),
        isHarmless: (saved) => {
          // A restored draft is based on an older version than `ad`.
          const harmless = isRestored ? [mine] : [mine, toContent(toAdValues(ad))];
          return harmless.includes(toContent(toAdValues(saved)));
        },
      });
    },
    onSent: async (updated, { isLeft }) => {
      toast({ title: t('post.updated'), description: t('post.updatedText') });
      await write(getAd, { params }, updated);
      if (!isLeft) await leave();
    },
    onRefused: (error, { isLeft }) => {
      if (error instanceof VersionConflict && !isLeft) return setConflicting(error.saved as Ad);
      const kept = isLeft ? `\n${t('post.keptTexts')}` : '';
      toast.error(getErrorMessage(error, t('post.updateFailed')) + kept);
    },
  });
  const { apiForm, handleSubmit } = adForm;
  const { form, isRestored } = apiForm;

  useEffect(() => {
    if (isRestored) toast({ title: t('post.changesBack'), description: t('post.changesBackText') });
  }, [isRestored, toast]);

  const handleBack = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void leave();
  };

  const handleKeepMine = () => {
    apiForm.setVersion(conflicting?.version);
    setConflicting(undefined);
    void handleSubmit();
  };

  return (
    <div className="container-page py-6 sm:py-10">
      <div className="mx-auto max-w-160">
        <LinkButton to={`/ads/${ad.id}`} variant="ghost" className="-ms-3" onClick={handleBack}>
          <ArrowLeft />
          {t('post.backToAd')}
        </LinkButton>
        <h1 className="page-heading mt-3 mb-8">{t('shell.titleEditAd')}</h1>
        <AdForm
          adForm={adForm}
          categories={categories}
          isEdit
          submitLabel={t('post.update')}
          busyLabel={t('post.updating')}
          confirmLabel={t('post.updateAnyway')}
          messagesLabel={t('post.allowBuyers')}
          unsavedText={t('post.unsavedChanges')}
          sendingText={t('post.sendingChanges')}
          onCancel={() => void leave()}
        />
        <AdConflictDialog
          open={conflicting !== undefined}
          onOpenChange={() => setConflicting(undefined)}
          opened={ad}
          mine={form.getValues()}
          saved={conflicting}
          categories={categories}
          onKeepMine={handleKeepMine}
          onTakeSaved={() => conflicting && onReread(conflicting)}
        />
      </div>
    </div>
  );
};
