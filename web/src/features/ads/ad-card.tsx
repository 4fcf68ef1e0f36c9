import { clsx as cn } from 'clsx';
import { Camera, MapPin } from 'lucide-react';
import type { ComponentProps, ReactElement } from 'react';
import { Link, useViewTransitionState } from 'react-router-dom';
import type { Ad } from '../../../../contract/ads.ts';
import { formatDistance } from '../../../../contract/distance.ts';
import { t } from '../../../../contract/i18n.ts';
import { formatPrice } from '../../../../contract/money.ts';
import { PRICE_TYPES, type PriceType, toAmountText } from '../../../../contract/prices.ts';
import { useHydrated } from '../../hooks/use-hydrated.ts';
import { lazyWithRetry } from '../../lib/chunks.ts';
import { formatAge } from '../../lib/format.ts';
import { useRememberedPlace } from '../../lib/remembered-place.ts';
import { useSiteConfig } from '../../lib/site-config.tsx';
import { SellerBadges } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/feedback.tsx';
import { toDateTime } from '../../ui/local-date.tsx';
import { Photo, toPhotoName } from '../../ui/photo.tsx';
import { FavoriteButton } from '../favorites/favorites.tsx';
import { NoPhoto } from './category-icon.tsx';
import { CategoryName } from './use-categories.ts';

interface AdCardProps {
  ad: Ad;
  priority?: 'lazy' | 'eager' | 'high';
  /** The photo moves to the ad's page and back. Only for cards that a page shows once. */
  moves?: boolean;
  /** A preview has no links and no buttons. */
  preview?: boolean;
}

export const AdCard = ({ ad, priority = 'lazy', moves = false, preview }: AdCardProps) => {
  // cut at its own end, not at that of the page's direction
  const title = <bdi className="line-clamp-2 w-fit">{ad.title}</bdi>;
  return (
    <article
      data-slot="ad-card"
      className="group relative flex flex-col overflow-hidden rounded-card border border-border bg-card transition-[border-color,box-shadow] duration-150 hover:border-input hover:shadow-raised"
    >
      <AdCardImage ad={ad} priority={priority} moves={moves} />
      <div className="flex flex-1 flex-col gap-1 p-3">
        <Price ad={ad} className={cn('leading-6', ad.isSold && 'text-muted-foreground')} />
        <h3 className={cn('text-sm font-medium', ad.isSold && 'line-through')}>
          {preview ? (
            title
          ) : (
            <Link
              to={`/ads/${ad.id}`}
              viewTransition={moves}
              className="stretched-link -outline-offset-2 after:rounded-card"
            >
              {title}
            </Link>
          )}
        </h3>
        {ad.location ? (
          <p className="flex items-center gap-1 text-xs text-muted-foreground">
            <MapPin className="size-3.5 shrink-0" />
            <bdi className="truncate" title={ad.location}>
              {ad.location}
            </bdi>
          </p>
        ) : null}
        <DistanceAndAge ad={ad} />
        <div className="mt-auto flex flex-wrap items-center gap-x-2 pt-1 text-xs text-muted-foreground">
          <span className="min-w-0 truncate">
            <CategoryName slug={ad.categorySlug} name={ad.category} />
          </span>
          <span className="flex items-center gap-1 min-h-4.5 md:ms-auto">
            <SellerBadges user={ad.user} />
          </span>
        </div>
      </div>
      {preview ? null : <FavoriteButton ad={ad} className="absolute top-2 end-2" />}
    </article>
  );
};

const DistanceFromRemembered = lazyWithRetry(
  () => import('../places/remembered.tsx').then((module) => module.Distance),
  () => null,
);

/** "3 km · 2 h ago": in the browser only, where the moment and the remembered place are known. A list near a place brings its own distance. */
const DistanceAndAge = ({ ad: { distance, placeId, createdAt } }: { ad: Ad }) => {
  const isHydrated = useHydrated();
  const { distanceUnit } = useSiteConfig();
  const place = useRememberedPlace();
  const rounded = Math.round(distance ?? 0);
  return (
    <p className="min-h-4 text-xs text-muted-foreground">
      {rounded > 0 ? `${formatDistance(rounded, distanceUnit)} · ` : null}
      {distance === undefined && place && placeId ? <DistanceFromRemembered from={place.near} to={placeId} /> : null}
      {isHydrated ? <time dateTime={toDateTime(createdAt)}>{formatAge(createdAt)}</time> : null}
    </p>
  );
};

type CoverProps = ComponentProps<typeof Photo> & { ad: Ad };

const StillPhoto = ({ ad: _, ...photo }: CoverProps) => <Photo {...photo} />;

const MovingPhoto = ({ ad, ...photo }: CoverProps) => {
  const isMoving = useViewTransitionState(`/ads/${ad.id}`);
  return <Photo {...photo} name={isMoving ? toPhotoName(ad) : undefined} />;
};

const AdCardImage = ({ ad, priority, moves }: Required<Pick<AdCardProps, 'ad' | 'priority' | 'moves'>>) => {
  const cover = ad.images[0];
  const Cover = moves ? MovingPhoto : StillPhoto;
  return (
    <div className="relative aspect-4/3 overflow-hidden bg-muted">
      {cover ? (
        <Cover
          ad={ad}
          image={cover}
          alt=""
          priority={priority}
          className="size-full object-cover transition-transform duration-300 group-hover:scale-[1.02]"
        />
      ) : (
        <NoPhoto slug={ad.categorySlug} />
      )}
      {ad.isSold ? (
        <div className="absolute inset-0 flex items-center justify-center bg-black/55">
          <span className="rounded-full bg-white px-4 py-1 text-sm font-semibold tracking-wider text-black">
            {t('list.sold')}
          </span>
        </div>
      ) : null}
      {ad.isReserved ? (
        <Badge variant="accent" className="absolute top-2 start-2">
          {t('list.reserved')}
        </Badge>
      ) : null}
      {ad.oldPrice ? (
        <Badge variant="success" className="absolute bottom-2 start-2">
          {t('list.priceDropped')}
        </Badge>
      ) : null}
      {ad.images.length > 1 ? (
        <span className="absolute end-2 bottom-2 flex items-center gap-1 rounded-full bg-black/60 px-2 py-0.5 text-xs font-medium text-white">
          <Camera aria-hidden="true" className="size-3.5" />
          <span aria-hidden="true">{ad.images.length}</span>
          <span className="sr-only">{t('list.countPhotos', { count: ad.images.length })}</span>
        </span>
      ) : null}
    </div>
  );
};

/** Has the same boxes as AdCard, so that nothing moves when the ad loads. */
export const AdCardSkeleton = () => (
  <div data-slot="ad-card-skeleton" className="overflow-hidden rounded-card border border-border bg-card">
    <Skeleton className="aspect-4/3 rounded-none" />
    <div className="grid gap-2 p-3">
      <Skeleton className="h-5 w-1/2" />
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-3 w-2/3" />
      <Skeleton className="h-3 w-1/2" />
      <Skeleton className="h-4 w-2/3" />
    </div>
  </div>
);

export const AdThumb = ({ ad }: { ad: Pick<Ad, 'images' | 'categorySlug'> }) => {
  const cover = ad.images[0];
  const shape = 'size-14 shrink-0 overflow-hidden rounded-control';
  return cover ? (
    <Photo image={cover} alt="" className={`${shape} object-cover`} />
  ) : (
    <NoPhoto slug={ad.categorySlug} className={shape} />
  );
};

/** From this length on, a price needs smaller digits on a phone's card. Marks of its direction take no room. */
const LONG = 11;

type Priced = Pick<Ad, 'price' | 'priceType' | 'oldPrice'>;

export const Price = ({ ad, className }: { ad: Priced; className?: string }) => {
  const text = toAmountText(ad);
  return (
    <p
      className={cn(
        'font-semibold tabular-nums',
        text.replace(/\p{Cf}/gu, '').length > LONG ? 'text-sm' : 'text-lg',
        className,
      )}
    >
      {text}
      <PriceKind type={ad.priceType} />
      <OldPrice price={ad.oldPrice} />
    </p>
  );
};

/** What the price of an ad means, where it is neither fixed nor free. */
export const PriceKind = ({ type }: { type: PriceType }): ReactElement | null => {
  switch (type) {
    case 'wanted':
      return (
        <>
          {' '}
          <Badge variant="accent" className="align-middle">
            {PRICE_TYPES.wanted}
          </Badge>
        </>
      );
    case 'negotiable':
      return (
        <>
          {' '}
          <span className="inline-block text-xs font-normal text-muted-foreground">{PRICE_TYPES.negotiable}</span>
        </>
      );
    case 'fixed':
    case 'free':
      return null;
  }
};

/** The price before a drop, struck through. Screen readers do not announce that, so they read "was". */
export const OldPrice = ({ price }: { price: string | undefined }) =>
  price ? (
    <>
      {' '}
      <s className="text-sm font-normal whitespace-nowrap text-muted-foreground">
        <span className="sr-only">{t('list.was')} </span>
        {formatPrice(price)}
      </s>
    </>
  ) : null;
