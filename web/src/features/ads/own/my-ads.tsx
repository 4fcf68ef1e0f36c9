import { CircleCheck, Heart, Pencil, RotateCcw, Tag, Trash2 } from 'lucide-react';
import { type ComponentProps, useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { type Ad, deleteAd, renewAd } from '../../../../../contract/ads.ts';
import { canRenew } from '../../../../../contract/expiry.ts';
import { type Favorite, listFavorites } from '../../../../../contract/favorites.ts';
import { toPriceText } from '../../../../../contract/prices.ts';
import type { Me } from '../../../../../contract/user.ts';
import { listUserAds } from '../../../../../contract/users.ts';
import { useApiMutation, useInfiniteApiQuery } from '../../../api/query.ts';
import { useAction } from '../../../api/use-action.ts';
import { formatCount, formatDate } from '../../../lib/format.ts';
import { Button, LinkButton } from '../../../ui/button.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/feedback.tsx';
import { lazyOverlay } from '../../../ui/lazy-overlays.tsx';
import { useToast } from '../../../ui/toast/toast.tsx';
import { DecisionLink } from '../../reports/decision-link.tsx';
import { AdThumb, OldPrice } from '../ad-card.tsx';
import { StatusBadge } from '../status-badge.tsx';

const SellDialog = lazyOverlay(() => import('../sale/sell-dialog.tsx').then((module) => module.SellDialog));

export const MyAds = ({ me }: { me: Me }) => {
  const list = useInfiniteApiQuery(listUserAds, { params: { id: me.id } }, { keepPreviousData: true });
  const columns: Column<Ad>[] = [
    { title: 'Ad', cell: (ad) => <OwnAdCell ad={ad} />, className: 'md:min-w-56' },
    { title: 'Category', labelled: true, cell: (ad) => ad.category },
    { title: 'Price', labelled: true, cell: (ad) => toPriceText(ad), className: 'tabular-nums' },
    { title: 'Views', labelled: true, cell: (ad) => formatCount(ad.views), className: 'tabular-nums' },
    { title: 'Status', labelled: true, cell: (ad) => <OwnAdState ad={ad} /> },
    { title: 'Actions', cell: (ad) => <OwnAdActions ad={ad} /> },
  ];
  return (
    <OwnTable
      title="My Ads"
      columns={columns}
      list={list}
      skeletonRows={5}
      failureTitle="Failed to fetch ads"
      empty={
        <EmptyState icon={Tag} title="No ads yet" text="Start by creating your first ad!" heading="h3">
          <LinkButton to="/create-ad">Post New Ad</LinkButton>
        </EmptyState>
      }
    />
  );
};

interface OwnTableProps<Row extends { id: string }> extends Omit<ComponentProps<typeof DataTable<Row>>, 'caption'> {
  title: string;
}

const OwnTable = <Row extends { id: string }>({ title, ...table }: OwnTableProps<Row>) => {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="mb-3 section-heading">
        {title}
      </h2>
      <DataTable caption={title} {...table} />
    </section>
  );
};

const OwnAdCell = ({ ad }: { ad: Ad }) => (
  <div className="flex min-w-0 items-center gap-3">
    <AdThumb ad={ad} />
    <Link to={`/ads/${ad.id}`} className="line-clamp-2 font-medium wrap-anywhere hover:underline">
      <bdi>{ad.title}</bdi>
    </Link>
  </div>
);

const OwnAdState = ({ ad }: { ad: Ad }) => (
  <div className="inline-grid gap-1">
    <span>
      <StatusBadge ad={ad} />
    </span>
    {ad.state === 'active' && ad.expiresAt && canRenew(ad, Date.now()) ? (
      <span className="text-xs text-muted-foreground">Expires on {formatDate(ad.expiresAt)}</span>
    ) : null}
    {ad.reservedFor && ad.reservedUntil ? (
      <span className="text-xs text-muted-foreground">
        For{' '}
        <Link to={`/messages/${ad.id}/${ad.reservedFor.id}`} className="underline underline-offset-2">
          <bdi>{ad.reservedFor.displayName}</bdi>
        </Link>{' '}
        until {formatDate(ad.reservedUntil)}
      </span>
    ) : null}
    {ad.stateReason ? <span className="text-xs text-muted-foreground">{ad.stateReason}</span> : null}
    <DecisionLink ad={ad} />
  </div>
);

const toRenewedText = ({ expiresAt }: Ad): string =>
  expiresAt ? `Your ad is live until ${formatDate(expiresAt)}.` : 'Your ad is live.';

/** A sale makes the table load again. */
const ignore = () => {};

const OwnAdActions = ({ ad }: { ad: Ad }) => {
  const toast = useToast();
  const remove = useApiMutation(deleteAd);
  const renew = useApiMutation(renewAd);
  const { isBusy, run } = useAction();
  const [isSelling, setSelling] = useState(false);
  const params = { id: ad.id };

  const handleDelete = async () => {
    if (!window.confirm('Are you sure you want to delete this ad?')) return;
    await run(async () => {
      await remove({ params });
      toast({ title: 'Ad deleted', description: 'Your ad has been successfully deleted.' });
    }, 'Failed to delete ad. Please try again.');
  };
  const handleRenew = () =>
    run(async () => {
      toast({ title: 'Ad renewed', description: toRenewedText(await renew({ params })) });
    }, 'Failed to renew ad. Please try again.');
  const named = (action: string) => ({
    variant: 'ghost' as const,
    size: 'icon' as const,
    'aria-label': `${action} ${ad.title}`,
    title: action,
  });

  return (
    <div className="flex gap-1">
      {canRenew(ad, Date.now()) ? (
        <Button {...named('Renew')} busy={isBusy} onClick={() => void handleRenew()}>
          <RotateCcw />
        </Button>
      ) : null}
      <LinkButton to={`/ads/${ad.id}/edit`} {...named('Edit')}>
        <Pencil />
      </LinkButton>
      {ad.isActive && !ad.isSold ? (
        <Button {...named('Mark as Sold')} onClick={() => setSelling(true)}>
          <CircleCheck />
        </Button>
      ) : null}
      <Button {...named('Delete')} busy={isBusy} onClick={() => void handleDelete()}>
        <Trash2 />
      </Button>
      <SellDialog ad={ad} open={isSelling} onOpenChange={setSelling} onChange={ignore} />
    </div>
  );
};

const likedColumns: Column<Favorite>[] = [
  {
    title: 'Ad',
    className: 'md:min-w-56',
    cell: (ad) => (
      <div className="flex min-w-0 items-center gap-3">
        <AdThumb ad={ad} />
        <span className="line-clamp-2 font-medium wrap-anywhere">
          <bdi>{ad.title}</bdi>
        </span>
      </div>
    ),
  },
  {
    title: 'Price',
    labelled: true,
    className: 'tabular-nums',
    cell: (ad) =>
      ad.isAvailable ? (
        <>
          {toPriceText(ad)}
          <OldPrice price={ad.oldPrice} />
        </>
      ) : (
        '—'
      ),
  },
  {
    title: 'Seller',
    labelled: true,
    cell: (ad) =>
      ad.isAvailable && ad.user.username ? (
        <Link to={`/users/${ad.user.username}`} className="wrap-anywhere hover:underline">
          <bdi>{ad.user.displayName}</bdi>
        </Link>
      ) : (
        '—'
      ),
  },
  { title: 'Status', labelled: true, cell: (ad) => <StatusBadge ad={ad} /> },
  {
    title: 'Actions',
    cell: (ad) =>
      ad.isAvailable ? (
        <LinkButton to={`/ads/${ad.id}`} aria-label={`View ${ad.title}`} variant="outline" size="sm">
          View
        </LinkButton>
      ) : null,
  },
];

export const LikedAds = () => (
  <OwnTable
    title="Liked Ads"
    columns={likedColumns}
    list={useInfiniteApiQuery(listFavorites, {}, { keepPreviousData: true })}
    skeletonRows={3}
    failureTitle="Failed to load your liked ads"
    empty={
      <EmptyState icon={Heart} title="No liked ads yet" heading="h3" text="Tap the heart on an ad to keep it here." />
    }
  />
);
