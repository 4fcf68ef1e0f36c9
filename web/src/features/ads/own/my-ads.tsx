import { Tag } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { Link } from 'react-router-dom';
import type { Ad } from '../../../../../contract/ads.ts';
import { canRenew } from '../../../../../contract/expiry.ts';
import { type Favorite, listFavorites } from '../../../../../contract/favorites.ts';
import { toPriceText } from '../../../../../contract/prices.ts';
import type { Me } from '../../../../../contract/user.ts';
import { listUserAds } from '../../../../../contract/users.ts';
import { useInfiniteApiQuery } from '../../../api/query.ts';
import { formatCount, formatDate } from '../../../lib/format.ts';
import { LinkButton } from '../../../ui/button.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/feedback.tsx';
import { EmptyLine } from '../../../ui/list-section.tsx';
import { DecisionLink } from '../../reports/decision-link.tsx';
import { AdThumb, OldPrice } from '../ad-card.tsx';
import { StatusBadge } from '../status-badge.tsx';
import { BulkActions, type Selection, useSelection } from './bulk-actions.tsx';
import { OwnAdActions } from './own-ad-actions.tsx';

export const MyAds = ({ me }: { me: Me }) => {
  const list = useInfiniteApiQuery(listUserAds, { params: { id: me.id } }, { keepPreviousData: true });
  const selection = useSelection(list.data ?? []);
  const columns: Column<Ad>[] = [
    { title: 'Ad', cell: (ad) => <OwnAdCell ad={ad} selection={selection} />, className: 'md:min-w-56' },
    { title: 'Category', labelled: true, cell: (ad) => ad.category },
    { title: 'Price', labelled: true, cell: (ad) => toPriceText(ad), className: 'tabular-nums' },
    { title: 'Views', labelled: true, cell: (ad) => formatCount(ad.views), className: 'tabular-nums' },
    { title: 'Status', labelled: true, cell: (ad) => <OwnAdState ad={ad} /> },
    { title: 'Actions', cell: (ad) => <OwnAdActions ad={ad} /> },
  ];
  return (
    <OwnTable
      title="My Ads"
      above={<BulkActions selection={selection} />}
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
  above?: ReactNode;
}

const OwnTable = <Row extends { id: string }>({ title, above, ...table }: OwnTableProps<Row>) => {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="mb-3 section-heading">
        {title}
      </h2>
      {above}
      <DataTable caption={title} {...table} />
    </section>
  );
};

const OwnAdCell = ({ ad, selection }: { ad: Ad; selection: Selection }) => (
  <div className="flex min-w-0 items-center gap-3">
    <label className="-m-3 flex size-11 shrink-0 items-center justify-center">
      <input
        type="checkbox"
        aria-label={`Select ${ad.title}`}
        className="size-5 accent-primary"
        checked={selection.isSelected(ad)}
        onChange={() => selection.toggle(ad)}
      />
    </label>
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

/** All liked ads, or the newest and a link to all. */
export const LikedAds = ({ newest }: { newest?: number }) => {
  const target = newest ? { query: { limit: String(newest) } } : {};
  const list = useInfiniteApiQuery(listFavorites, target, { keepPreviousData: true });
  return (
    <div className="grid justify-items-start gap-3 *:min-w-0 *:w-full">
      <OwnTable
        title="Liked Ads"
        columns={likedColumns}
        list={newest ? { ...list, hasMore: false } : list}
        skeletonRows={3}
        failureTitle="Failed to load your liked ads"
        empty={<EmptyLine>No liked ads yet. Tap the heart on an ad to keep it here.</EmptyLine>}
      />
      {newest && list.hasMore ? (
        <Link to="/dashboard?tab=saved" className="text-link">
          All liked ads
        </Link>
      ) : null}
    </div>
  );
};
