import { Calendar, Eye, MapPin } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Ad } from '../../../../contract/ads.ts';
import { formatPrice } from '../../../../contract/format-price.ts';
import { StatusBadge } from '../../features/ads/status-badge.tsx';
import { OwnPost } from '../../features/x-posting/own-post.tsx';
import { cn } from '../../lib/cn.ts';
import { pluralize } from '../../lib/format-count.ts';
import { Badge } from '../../ui/badge.tsx';
import { LocalDate } from '../../ui/local-date.tsx';
import { ContactSeller } from './contact-seller.tsx';
import { Description } from './description.tsx';
import { ExternalSite } from './external-site.tsx';
import { Gallery } from './gallery/gallery.tsx';
import { OwnerActions } from './owner-actions.tsx';
import { SafetyCard } from './safety-card.tsx';
import { SellerCard } from './seller-card.tsx';
import { StateNotice } from './state-notice.tsx';
import { TopRow } from './top-row.tsx';

interface AdDetailProps {
  ad: Ad;
  isOwner: boolean;
  onChange: (ad: Ad) => void;
}

export const AdDetail = ({ ad, isOwner, onChange }: AdDetailProps) => (
  <div className="container-page pt-4 pb-6 lg:pt-6">
    <TopRow ad={ad} />
    <div className="mt-3 grid gap-6 lg:grid-cols-12 lg:gap-10">
      <div className="-mx-4 min-w-0 sm:mx-0 lg:col-span-7">
        <Gallery ad={ad} />
      </div>
      <div className="grid min-w-0 content-start gap-6 lg:sticky lg:top-22 lg:col-span-5 lg:self-start">
        <Summary ad={ad} />
        {isOwner && ad.state ? <StateNotice ad={ad} onChange={onChange} /> : null}
        {isOwner ? <OwnerActions ad={ad} onChange={onChange} /> : <ContactSeller ad={ad} />}
        {isOwner ? <OwnPost adId={ad.id} /> : null}
        {ad.externalLink ? <ExternalSite url={ad.externalLink} /> : null}
        <Description text={ad.description} />
        <SellerCard seller={ad.user} isOwner={isOwner} />
        <SafetyCard />
      </div>
    </div>
  </div>
);

const Summary = ({ ad }: { ad: Ad }) => (
  <header className="grid gap-3">
    <div className="flex flex-wrap gap-2">
      <StatusBadge ad={ad} />
      <Link
        to={`/categories?category=${encodeURIComponent(ad.category)}`}
        className="-my-1 rounded-full py-1 hover:brightness-95"
      >
        <Badge variant="accent">{ad.category}</Badge>
      </Link>
    </div>
    <h1 className={cn('text-2xl font-semibold tracking-tight break-words md:text-3xl', ad.isSold && 'line-through')}>
      <bdi>{ad.title}</bdi>
    </h1>
    <p className={cn('text-3xl font-semibold tabular-nums', ad.isSold && 'text-muted-foreground')}>
      {formatPrice(ad.price)}
    </p>
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted-foreground">
      <Meta icon={<Eye aria-hidden="true" />}>{pluralize(ad.views, 'view')}</Meta>
      <Meta icon={<Calendar aria-hidden="true" />}>
        Posted <LocalDate iso={ad.createdAt} />
      </Meta>
      {ad.location ? (
        <Meta icon={<MapPin aria-hidden="true" />}>
          <bdi>{ad.location}</bdi>
        </Meta>
      ) : null}
    </ul>
  </header>
);

const Meta = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <li className="flex min-w-0 items-center gap-1.5 [&_svg]:size-4 [&_svg]:shrink-0">
    {icon}
    <span className="min-w-0 wrap-anywhere">{children}</span>
  </li>
);
