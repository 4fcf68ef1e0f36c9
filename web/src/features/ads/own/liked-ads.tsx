import { Heart } from 'lucide-react';
import { Link } from 'react-router-dom';
import { type Favorite, listFavorites } from '../../../../../contract/favorites.ts';
import { formatPrice } from '../../../../../contract/format-price.ts';
import { useInfiniteApiQuery } from '../../../api/query.ts';
import { Button } from '../../../ui/button.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/feedback.tsx';
import { LoadMoreButton } from '../../../ui/load-more-button.tsx';
import { AdThumb } from '../ad-card.tsx';
import { StatusBadge } from '../status-badge.tsx';

const columns: Column<Favorite>[] = [
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
    cell: (ad) => (ad.isAvailable ? formatPrice(ad.price) : '—'),
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
        <Button asChild variant="outline" size="sm">
          <Link to={`/ads/${ad.id}`} aria-label={`View ${ad.title}`}>
            View
          </Link>
        </Button>
      ) : null,
  },
];

export const LikedAds = () => {
  const list = useInfiniteApiQuery(listFavorites, {}, { keepPreviousData: true });
  return (
    <section aria-labelledby="liked-ads">
      <h2 id="liked-ads" className="mb-3 section-heading">
        Liked Ads
      </h2>
      <DataTable
        caption="Liked Ads"
        columns={columns}
        rows={list.items}
        isLoading={list.isLoading}
        rowKey={(ad) => ad.id}
        skeletonRows={3}
        failure={list.error ? { title: 'Failed to load your liked ads', onRetry: list.retry } : undefined}
        empty={
          <EmptyState
            icon={Heart}
            title="No liked ads yet"
            heading="h3"
            text="Tap the heart on an ad to keep it here."
          />
        }
      />
      <LoadMoreButton list={list} />
    </section>
  );
};
