import { Tag } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { Link } from 'react-router-dom';
import type { Ad } from '../../../../../contract/ads.ts';
import { canRenew } from '../../../../../contract/expiry.ts';
import { type Favorite, listFavorites } from '../../../../../contract/favorites.ts';
import { t } from '../../../../../contract/i18n.ts';
import { toPriceText } from '../../../../../contract/prices.ts';
import type { Me, User } from '../../../../../contract/user.ts';
import { listUserAds } from '../../../../../contract/users.ts';
import { useInfiniteApiQuery } from '../../../api/query.ts';
import { formatCount, formatDate } from '../../../lib/format.ts';
import { LinkButton } from '../../../ui/button.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/feedback.tsx';
import { EmptyLine } from '../../../ui/list-section.tsx';
import { Rich } from '../../../ui/rich.tsx';
import { DecisionLink } from '../../reports/decision-link.tsx';
import { sayStateReason } from '../../reports/state-reason.ts';
import { AdThumb, OldPrice } from '../ad-card.tsx';
import { StatusBadge } from '../status-badge.tsx';
import { CategoryName } from '../use-categories.ts';
import { BulkActions, SelectBox, SelectsAds } from './bulk-actions.tsx';
import { OwnAdActions } from './own-ad-actions.tsx';

export const MyAds = ({ me }: { me: Me }) => {
  const list = useInfiniteApiQuery(listUserAds, { params: { id: me.id } }, { keepPreviousData: true });
  const columns: Column<Ad>[] = [
    { title: t('dashboard.ad'), cell: (ad) => <OwnAdCell ad={ad} />, className: 'md:min-w-56' },
    {
      title: t('dashboard.category'),
      labelled: true,
      // what a narrow table has no room for, beside the actions
      className: 'md:max-lg:hidden',
      cell: (ad) => <CategoryName slug={ad.categorySlug} name={ad.category} />,
    },
    { title: t('dashboard.price'), labelled: true, cell: (ad) => toPriceText(ad), className: 'tabular-nums' },
    { title: t('dashboard.views'), labelled: true, cell: (ad) => formatCount(ad.views), className: 'tabular-nums' },
    { title: t('dashboard.status'), labelled: true, cell: (ad) => <OwnAdState ad={ad} /> },
    { title: t('dashboard.actions'), cell: (ad) => <OwnAdActions ad={ad} /> },
  ];
  return (
    <SelectsAds ads={list.data ?? []}>
      <OwnTable
        title={t('dashboard.myAds')}
        above={<BulkActions />}
        columns={columns}
        list={list}
        skeletonRows={5}
        failureTitle={t('dashboard.fetchFailed')}
        empty={
          <EmptyState icon={Tag} title={t('dashboard.noAds')} text={t('dashboard.firstAd')} heading="h3">
            <LinkButton to="/create-ad">{t('dashboard.postNewAd')}</LinkButton>
          </EmptyState>
        }
      />
    </SelectsAds>
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

/** Leads to the ad, unless nobody may see it. */
const AdName = ({ ad, isOpen = true }: { ad: Ad | Favorite; isOpen?: boolean }) => {
  const content = (
    <>
      <AdThumb ad={ad} />
      <span className="font-medium wrap-anywhere">
        <bdi className="line-clamp-2 w-fit">{ad.title}</bdi>
      </span>
    </>
  );
  const className = 'flex min-w-0 items-center gap-3';
  return isOpen ? (
    <Link to={`/ads/${ad.id}`} className={`${className} hover:underline`}>
      {content}
    </Link>
  ) : (
    <div className={className}>{content}</div>
  );
};

const OwnAdCell = ({ ad }: { ad: Ad }) => (
  <div className="flex min-w-0 items-center gap-3">
    <SelectBox ad={ad} />
    <AdName ad={ad} />
  </div>
);

const OwnAdState = ({ ad }: { ad: Ad }) => (
  <div className="inline-grid gap-1">
    <span>
      <StatusBadge ad={ad} />
    </span>
    {ad.state === 'active' && ad.expiresAt && canRenew(ad, Date.now()) ? (
      <span className="text-xs text-muted-foreground">
        {t('dashboard.expiresOn', { date: formatDate(ad.expiresAt) })}
      </span>
    ) : null}
    {ad.reservedFor && ad.reservedUntil ? (
      <span className="text-xs text-muted-foreground">
        <Reserved adId={ad.id} person={ad.reservedFor} until={ad.reservedUntil} />
      </span>
    ) : null}
    <bdi className="text-xs text-muted-foreground empty:hidden">{sayStateReason(ad)}</bdi>
    <DecisionLink ad={ad} />
  </div>
);

interface ReservedProps {
  adId: string;
  person: User;
  until: string;
}

const Reserved = ({ adId, person, until }: ReservedProps) => (
  <Rich
    text={t('dashboard.reservedFor', { date: formatDate(until) })}
    person={() => (
      <Link to={`/messages/${adId}/${person.id}`} className="underline underline-offset-2">
        <bdi>{person.displayName}</bdi>
      </Link>
    )}
  />
);

const listLikedColumns = (): Column<Favorite>[] => [
  {
    title: t('dashboard.ad'),
    className: 'md:min-w-56',
    cell: (ad) => <AdName ad={ad} isOpen={ad.isAvailable} />,
  },
  {
    title: t('dashboard.price'),
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
    title: t('dashboard.seller'),
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
  { title: t('dashboard.status'), labelled: true, cell: (ad) => <StatusBadge ad={ad} /> },
  {
    title: t('dashboard.actions'),
    cell: (ad) =>
      ad.isAvailable ? (
        <LinkButton
          to={`/ads/${ad.id}`}
          aria-label={t('dashboard.viewOf', { title: ad.title })}
          variant="outline"
          size="sm"
        >
          {t('dashboard.view')}
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
        title={t('dashboard.likedAds')}
        columns={listLikedColumns()}
        list={newest ? { ...list, hasMore: false } : list}
        skeletonRows={3}
        failureTitle={t('dashboard.likedFailed')}
        empty={<EmptyLine>{t('dashboard.noLiked')}</EmptyLine>}
      />
      {newest && list.hasMore ? (
        <Link to="/dashboard?tab=saved" className="text-link">
          {t('dashboard.allLiked')}
        </Link>
      ) : null}
    </div>
  );
};
