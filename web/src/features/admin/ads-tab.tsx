import { CircleCheck, CircleOff, Eye, Tag, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { type AdminAd, listAdminAds } from '../../../../contract/admin.ts';
import type { AdState } from '../../../../contract/ads.ts';
import { toPriceText } from '../../../../contract/prices.ts';
import type { Me, User } from '../../../../contract/user.ts';
import { useInfiniteApiQuery } from '../../api/query.ts';
import { formatCount, formatDate } from '../../lib/format.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Badge, TermList } from '../../ui/card.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/lazy-overlays.tsx';
import { Photo } from '../../ui/photo.tsx';
import { AdThumb } from '../ads/ad-card.tsx';
import { useStatedDetails } from '../ads/detail/use-stated-details.ts';
import { ReportDialog } from '../reports/report-button.tsx';
import { XPostHistory } from '../x-posting/post-status.tsx';
import { AdminTable, RowAction, useAdminFilter } from './admin-table.tsx';
import { DeactivateDialog, DeleteAdDialog, useActivateAd } from './moderation.tsx';

const STATES: Record<'' | AdState, string> = {
  '': 'All ads',
  active: 'Active',
  paused: 'Paused',
  pending: 'Pending review',
  inactive: 'Inactive',
  expired: 'Expired',
};

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
    { title: 'Ad', cell: (ad) => <AdCell ad={ad} />, className: 'md:min-w-64' },
    {
      title: 'Poster',
      labelled: true,
      cell: (ad) => <bdi className="wrap-anywhere">{ad.user.displayName}</bdi>,
      className: 'md:min-w-32',
    },
    { title: 'Category', labelled: true, cell: (ad) => ad.category },
    { title: 'Price', labelled: true, cell: (ad) => toPriceText(ad), className: 'tabular-nums' },
    { title: 'Status', labelled: true, cell: (ad) => <AdStatus ad={ad} /> },
    { title: 'Views', labelled: true, cell: (ad) => formatCount(ad.views), className: 'tabular-nums' },
    {
      title: 'Actions',
      cell: (ad) => (
        <div className="flex gap-1">
          <RowAction icon={Eye} label={`View details of ${ad.title}`} onClick={() => setShown(ad)} />
          {ad.isActive || ad.state === 'paused' ? (
            <RowAction icon={CircleOff} label={`Deactivate ${ad.title}`} onClick={() => setToDeactivate(ad)} />
          ) : (
            <RowAction
              icon={CircleCheck}
              label={`Activate ${ad.title}`}
              busy={isBusyWith(ad.id)}
              onClick={() => void activate(ad)}
            />
          )}
          {isAdmin ? <RowAction icon={Trash2} label={`Delete ${ad.title}`} onClick={() => setToDelete(ad)} /> : null}
        </div>
      ),
    },
  ];

  return (
    <>
      <AdminTable
        noun="ads"
        list={list}
        columns={columns}
        fields={fields}
        searchPlaceholder="Search title or description"
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
      <Link to={`/ads/${ad.id}`} className="line-clamp-1 font-medium hover:underline">
        <bdi>{ad.title}</bdi>
      </Link>
      <p dir="auto" className="line-clamp-2 text-start text-sm text-muted-foreground">
        {ad.description}
      </p>
    </div>
  </div>
);

const REASONS = {
  pending: 'Pending review',
  expired: 'Expired',
  paused: 'Paused',
  inactive: null,
  active: null,
} as const;

const AdStatus = ({ ad }: { ad: AdminAd }) => {
  const reason = ad.state ? REASONS[ad.state] : null;
  return (
    <span className="inline-flex flex-wrap gap-1">
      <Badge variant={ad.isActive ? 'success' : 'neutral'}>{ad.isActive ? 'Active' : 'Inactive'}</Badge>
      {reason ? <Badge variant="warning">{reason}</Badge> : null}
      {ad.isSold ? <Badge variant="strong">Sold</Badge> : null}
      {ad.isReserved ? <Badge variant="neutral">Reserved</Badge> : null}
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
  <Dialog open={ad !== undefined} onOpenChange={onClose} title="Ad details" className="sm:max-w-2xl">
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
                    alt={`Photo ${index + 1} of ${ad.images.length}`}
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
        ['Status', <AdStatus key="status" ad={ad} />],
        ['Reason', ad.stateReason],
        ['Poster', <Person key="poster" user={ad.user} />],
        ['Reserved for', ad.reservedFor ? <Person key="holder" user={ad.reservedFor} /> : null],
        ['Sold to', ad.buyer ? <Person key="buyer" user={ad.buyer} /> : null],
        ['Category', ad.category],
        ['Price', toPriceText(ad)],
        ...stated,
        ['Location', ad.location],
        ['External link', ad.externalLink],
        ['Views', formatCount(ad.views)],
        ['Posted', formatDate(ad.createdAt)],
        ['Expires', ad.expiresAt ? formatDate(ad.expiresAt) : null],
      ]}
    />
  );
};

// Isolates the name, because an Arabic name would reverse the brackets.
const Person = ({ user }: { user: User }) => (
  <>
    <bdi>{user.displayName}</bdi> (@{user.username ?? '—'})
  </>
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
        View ad
      </LinkButton>
      <Button variant="outline" onClick={() => setFlagging(true)}>
        Flag for Review
      </Button>
      {ad.isActive ? null : (
        <Button busy={isBusyWith(ad.id)} onClick={() => void activate(ad)}>
          {ad.state === 'pending' ? 'Approve' : 'Activate'}
        </Button>
      )}
      {ad.isActive || ad.state === 'pending' ? (
        <Button variant="outline" onClick={() => onDeactivate(ad)}>
          {ad.state === 'pending' ? 'Reject' : 'Deactivate'}
        </Button>
      ) : null}
      {onDelete ? (
        <Button variant="destructive" onClick={() => onDelete(ad)}>
          Delete Ad
        </Button>
      ) : null}
      <ReportDialog target={{ type: 'ad', id: ad.id, name: ad.title }} open={isFlagging} onOpenChange={setFlagging} />
    </div>
  );
};
