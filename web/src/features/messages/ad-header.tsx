import { ImageOff } from 'lucide-react';
import { Link } from 'react-router-dom';
import type * as z from 'zod/mini';
import { formatPrice } from '../../../../contract/format-price.ts';
import type { MessageAd } from '../../../../contract/messages.ts';
import type { User } from '../../../../contract/user.ts';
import { Badge } from '../../ui/badge.tsx';
import { SellerBadges } from '../seller/seller-badges.tsx';

type AdOfMessage = z.output<typeof MessageAd>;

/** What a conversation is about and with whom. */
export const AdHeader = ({ ad, other }: { ad: AdOfMessage; other: User | null }) => (
  <div className="flex items-center gap-4">
    <MessageAdThumb ad={ad} className="size-16" />
    <div className="min-w-0">
      <p className="flex items-center gap-2">
        <AdTitle ad={ad} />
        {ad.isSold ? <Badge variant="strong">Sold</Badge> : null}
      </p>
      {ad.isDeleted ? null : <p className="font-semibold tabular-nums">{formatPrice(ad.price)}</p>}
      {other ? (
        <p className="flex items-center gap-1 text-sm text-muted-foreground">
          {other.username ? (
            <Link to={`/users/${other.username}`} className="truncate hover:underline">
              <bdi>{other.displayName}</bdi>
            </Link>
          ) : (
            <bdi>{other.displayName}</bdi>
          )}
          <SellerBadges user={other} />
        </p>
      ) : null}
    </div>
  </div>
);

/** The title, linking to the ad while there is one. */
export const AdTitle = ({ ad }: { ad: AdOfMessage }) =>
  ad.isDeleted ? (
    <span className="font-medium text-muted-foreground">{ad.title}</span>
  ) : (
    <Link to={`/ads/${ad.id}`} className="line-clamp-2 font-medium hover:underline">
      <bdi>{ad.title}</bdi>
    </Link>
  );

/** The ad's first picture, or a placeholder. */
export const MessageAdThumb = ({ ad, className }: { ad: AdOfMessage; className: string }) =>
  ad.thumbUrl ? (
    <img
      src={ad.thumbUrl}
      alt=""
      loading="lazy"
      className={`${className} shrink-0 rounded-control bg-muted object-cover`}
    />
  ) : (
    <span
      aria-hidden="true"
      className={`${className} flex shrink-0 items-center justify-center rounded-control bg-muted text-muted-foreground`}
    >
      <ImageOff className="size-6" />
    </span>
  );
