import { CircleCheck, CircleOff, Eye, Tag, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { type AdminAd, listAdminAds } from '../../../../contract/admin.ts';
import type { AdState } from '../../../../contract/ads.ts';
import { labels, t } from '../../../../contract/i18n.ts';
import { toPriceText } from '../../../../contract/prices.ts';
import type { Me, User } from '../../../../contract/user.ts';
import { useInfiniteApiQuery } from '../../api/query.ts';
import { formatCount, formatDate } from '../../lib/format.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Badge } from '../../ui/card.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Handle } from '../../ui/handle.tsx';
import { Dialog } from '../../ui/lazy-overlays.tsx';
import { Photo } from '../../ui/photo.tsx';
import { TermList } from '../../ui/term-list.tsx';
import { AdThumb } from '../ads/ad-card.tsx';
import { useStatedDetails } from '../ads/detail/use-stated-details.ts';
import { CategoryName } from '../ads/use-categories.ts';
import { ReportDialog } from '../reports/report-button.tsx';
import { sayStateReason } from '../reports/state-reason.ts';
import { XPostHistory } from '../x-posting/post-status.tsx';
import { AdminTable, RowAction, useAdminFilter } from './admin-table.tsx';
import { DeactivateDialog, DeleteAdDialog, useActivateAd } from './moderation.tsx';

const STATES = labels<'' | AdState>({
  '': 'moderation.allAds',
  active: 'states.active',
  paused: 'states.paused',
  pending: 'states.pending',
  inactive: 'states.inactive',
  expired: 'states.expired',
});

export const AdsTab = ({ me }: { me: Me }) => {
  const isAdmin = me.role === 'admin';
  const fields = useAdminFilter<AdState>();
  const [shown, setShown] = useState<AdminAd>();
  const [toDeactivate, setToDeactivate] = useState<AdminAd>();
  const [toDelete, setToDelete] = useState<AdminAd>();
  const { activate, isBusyWith } = useActivateAd();
  const query = { ...fields.query, state: fields.filter || undefined };
  const list = useInfiniteApiQuery(listAdminAds, { query }, { keepPreviousData: true });

  const columns: Column<AdminAd>[] = [
    { title: t('moderation.ad'), cell: (ad) => <AdCell ad={ad} />, className: 'md:min-w-64' },
    {
      title: t('moderation.poster'),
      labelled: true,
      cell: (ad) => <bdi className="wrap-anywhere">{ad.user.displayName}</bdi>,
      className: 'md:min-w-32',
    },
    {
      title: t('moderation.category'),
      labelled: true,
      cell: (ad) => <CategoryName slug={ad.categorySlug} name={ad.category} />,
    },
    { title: t('moderation.price'), labelled: true, cell: (ad) => toPriceText(ad), className: 'tabular-nums' },
    { title: t('moderation.status'), labelled: true, cell: (ad) => <AdStatus ad={ad} /> },
    { title: t('moderation.views'), labelled: true, cell: (ad) => formatCount(ad.views), className: 'tabular-nums' },
    {
      title: t('moderation.actions'),
      cell: (ad) => (
        <div className="flex flex-wrap gap-2 xl:flex-nowrap">
          <RowAction
            icon={Eye}
            text={t('moderation.toDetails')}
            label={t('moderation.viewDetails', { title: ad.title })}
            onClick={() => setShown(ad)}
          />
          {ad.isActive || ad.state === 'paused' ? (
            <RowAction
              icon={CircleOff}
              text={t('moderation.deactivate')}
              label={t('moderation.deactivateOf', { title: ad.title })}
              onClick={() => setToDeactivate(ad)}
            />
          ) : (
            <RowAction
              icon={CircleCheck}
              text={t('moderation.activate')}
              label={t('moderation.activateOf', { title: ad.title })}
              busy={isBusyWith(ad.id)}
              onClick={() => void activate(ad)}
            />
          )}
          {isAdmin ? (
            <RowAction
              icon={Trash2}
              text={t('moderation.toDelete')}
              label={t('moderation.deleteOf', { title: ad.title })}
              onClick={() => setToDelete(ad)}
            />
          ) : null}
        </div>
      ),
    },
  ];

  return (
    <>
      <AdminTable
        texts={{
          caption: t('moderation.caption'),
          search: t('moderation.searchAds'),
          failed: t('moderation.adsFailed'),
          none: t('moderation.noAds'),
        }}
        list={list}
        columns={columns}
        fields={fields}
        searchPlaceholder={t('moderation.searchHint')}
        filterLabels={STATES}
        emptyIcon={Tag}
      />
      <AdDialog
        ad={list.data?.find((ad) => ad.id === shown?.id) ?? shown}
        onDeactivate={setToDeactivate}
        onDelete={isAdmin ? setToDelete : undefined}
        onClose={() => setShown(undefined)}
      />
      <DeactivateDialog ad={toDeactivate} onClose={() => setToDeactivate(undefined)} />
      <DeleteAdDialog ad={toDelete} onDeleted={() => setShown(undefined)} onClose={() => setToDelete(undefined)} />
    </>
  );
};

const AdCell = ({ ad }: { ad: AdminAd }) => (
  <div className="flex min-w-0 items-center gap-3">
    <AdThumb ad={ad} />
    <div className="min-w-0 wrap-anywhere">
      <Link to={`/ads/${ad.id}`} className="font-medium hover:underline">
        <bdi className="line-clamp-1 w-fit">{ad.title}</bdi>
      </Link>
      <p dir="auto" className="line-clamp-2 text-start text-sm text-muted-foreground">
        {ad.description}
      </p>
    </div>
  </div>
);

/** The states that say why an ad is inactive. */
const isReason = (state: AdState): boolean => state !== 'active' && state !== 'inactive';

const AdStatus = ({ ad }: { ad: AdminAd }) => {
  const reason = ad.state && isReason(ad.state) ? STATES[ad.state] : null;
  return (
    <span className="inline-flex flex-wrap gap-1">
      <Badge variant={ad.isActive ? 'success' : 'neutral'}>{ad.isActive ? STATES.active : STATES.inactive}</Badge>
      {reason ? <Badge variant="warning">{reason}</Badge> : null}
      {ad.isSold ? <Badge variant="strong">{t('states.sold')}</Badge> : null}
      {ad.isReserved ? <Badge variant="neutral">{t('states.reserved')}</Badge> : null}
    </span>
  );
};

interface AdDialogProps {
  ad: AdminAd | undefined;
  onDeactivate: (ad: AdminAd) => void;
  /** Absent for moderators. */
  onDelete: ((ad: AdminAd) => void) | undefined;
  onClose: () => void;
}

const AdDialog = ({ ad, onDeactivate, onDelete, onClose }: AdDialogProps) => (
  <Dialog open={ad !== undefined} onOpenChange={onClose} title={t('moderation.adDetails')} className="sm:max-w-2xl">
    {ad ? (
      <>
        <h3 className="card-heading">
          <bdi>{ad.title}</bdi>
        </h3>
        {ad.images.length > 0 ? (
          <ul className="flex flex-wrap gap-2">
            {ad.images.map((image, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an ad may have the same photo twice
              <li key={index}>
                <a href={image.url} target="_blank" rel="noopener">
                  <Photo
                    image={image}
                    alt={t('moderation.photoOf', { index: index + 1, count: ad.images.length })}
                    className="size-24 rounded-control object-cover"
                  />
                </a>
              </li>
            ))}
          </ul>
        ) : null}
        <p dir="auto" className="whitespace-pre-line break-words">
          {ad.description}
        </p>
        <Facts ad={ad} />
        {onDelete ? <XPostHistory adId={ad.id} /> : null}
        <ModerationActions ad={ad} onDeactivate={onDeactivate} onDelete={onDelete} />
      </>
    ) : null}
  </Dialog>
);

const Facts = ({ ad }: { ad: AdminAd }) => {
  const stated = useStatedDetails(ad);
  return (
    <TermList
      rows={[
        [t('moderation.status'), <AdStatus key="status" ad={ad} />],
        [t('moderation.reason'), sayStateReason(ad)],
        [t('moderation.poster'), <Person key="poster" user={ad.user} />],
        [t('moderation.reservedFor'), ad.reservedFor ? <Person key="holder" user={ad.reservedFor} /> : null],
        [t('moderation.soldTo'), ad.buyer ? <Person key="buyer" user={ad.buyer} /> : null],
        [t('moderation.category'), <CategoryName key="category" slug={ad.categorySlug} name={ad.category} />],
        [t('moderation.price'), toPriceText(ad)],
        ...stated,
        [t('moderation.location'), ad.location],
        [t('moderation.externalLink'), ad.externalLink],
        [t('moderation.views'), formatCount(ad.views)],
        [t('moderation.posted'), formatDate(ad.createdAt)],
        [t('moderation.expires'), ad.expiresAt ? formatDate(ad.expiresAt) : null],
      ]}
    />
  );
};

// One isolated piece in the direction of the name: a name from the other side would reverse the brackets, or stand behind its
// handle.
const Person = ({ user }: { user: User }) => (
  <bdi>
    {user.displayName} ({user.username === null ? '—' : <Handle name={user.username} />})
  </bdi>
);

const ModerationActions = ({
  ad,
  onDeactivate,
  onDelete,
}: Pick<AdDialogProps, 'onDeactivate' | 'onDelete'> & { ad: AdminAd }) => {
  const { activate, isBusyWith } = useActivateAd();
  const [isFlagging, setFlagging] = useState(false);
  return (
    <div className="flex flex-wrap gap-2">
      <LinkButton to={`/ads/${ad.id}`} variant="outline">
        {t('moderation.viewAd')}
      </LinkButton>
      <Button variant="outline" onClick={() => setFlagging(true)}>
        {t('moderation.flag')}
      </Button>
      {ad.isActive ? null : (
        <Button busy={isBusyWith(ad.id)} onClick={() => void activate(ad)}>
          {ad.state === 'pending' ? t('moderation.approve') : t('moderation.activate')}
        </Button>
      )}
      {ad.isActive || ad.state === 'pending' ? (
        <Button variant="outline" onClick={() => onDeactivate(ad)}>
          {ad.state === 'pending' ? t('moderation.reject') : t('moderation.deactivate')}
        </Button>
      ) : null}
      {onDelete ? (
        <Button variant="destructive" onClick={() => onDelete(ad)}>
          {t('moderation.deleteAd')}
        </Button>
      ) : null}
      <ReportDialog target={{ type: 'ad', id: ad.id, name: ad.title }} open={isFlagging} onOpenChange={setFlagging} />
    </div>
  );
};
