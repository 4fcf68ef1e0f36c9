import { clsx as cn } from 'clsx';
import { Calendar, ExternalLink, Eye, MapPin, Play, RotateCw, ShieldCheck } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { type Ad, renewAd, setAdPaused } from '../../../../../contract/ads.ts';
import { labels, type TextKey, t } from '../../../../../contract/i18n.ts';
import { toList } from '../../../../../contract/pages.ts';
import { toAmountText } from '../../../../../contract/prices.ts';
import type { User } from '../../../../../contract/user.ts';
import { useApiMutation } from '../../../api/query.ts';
import { useSession } from '../../../api/session.ts';
import { useAction } from '../../../api/use-action.ts';
import { formatRecentDate } from '../../../lib/format.ts';
import { Avatar, SellerBadges } from '../../../ui/avatar.tsx';
import { Button, LinkButton } from '../../../ui/button.tsx';
import { Badge, Card } from '../../../ui/card.tsx';
import { Skeleton, SkeletonRegion } from '../../../ui/feedback.tsx';
import { Handle } from '../../../ui/handle.tsx';
import { XLogo } from '../../../ui/icons.tsx';
import { LocalDate } from '../../../ui/local-date.tsx';
import { SellerFacts } from '../../../ui/seller-facts.tsx';
import { useToast } from '../../../ui/toast/toast.tsx';
import { DecisionLink } from '../../reports/decision-link.tsx';
import { sayStateReason } from '../../reports/state-reason.ts';
import { OldPrice, PriceKind } from '../ad-card.tsx';
import { StatusBadge } from '../status-badge.tsx';
import { CategoryName } from '../use-categories.ts';
import { AdPlace } from './ad-place.tsx';
import { useStatedDetails } from './use-stated-details.ts';

/** The status "Active" and the views are for the owner (the status for staff, too). */
export const Summary = ({ ad, isOwner }: { ad: Ad; isOwner: boolean }) => {
  const { user } = useSession();
  const isUsual = ad.isActive && !ad.isSold && !ad.isReserved;
  const isInsider = isOwner || (user != null && user.role !== 'user');
  return (
    <header className="grid gap-3">
      <div className="flex flex-wrap items-center gap-2">
        {isUsual && !isInsider ? null : <StatusBadge ad={ad} />}
        <Link
          to={toList({ category: ad.categorySlug })}
          className="-my-1 inline-flex rounded-full py-1 hover:brightness-95"
        >
          <Badge variant="accent">
            <CategoryName slug={ad.categorySlug} name={ad.category} />
          </Badge>
        </Link>
      </div>
      <h1 className={cn('text-2xl font-semibold tracking-tight break-words md:text-3xl', ad.isSold && 'line-through')}>
        <bdi>{ad.title}</bdi>
      </h1>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className={cn('text-3xl font-semibold tabular-nums', ad.isSold && 'text-muted-foreground')}>
          {toAmountText(ad)}
          <PriceKind type={ad.priceType} />
          <OldPrice price={ad.oldPrice} />
        </p>
        {ad.oldPrice ? <Badge variant="success">{t('list.priceDropped')}</Badge> : null}
      </div>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted-foreground">
        {isOwner ? <Meta icon={<Eye />}>{t('ad.views', { count: ad.views })}</Meta> : null}
        <Meta icon={<Calendar />}>
          <span className="sr-only">{t('ad.posted')} </span>
          <LocalDate iso={ad.createdAt} format={formatRecentDate} />
        </Meta>
        {ad.location ? (
          <Meta icon={<MapPin />}>
            <bdi>{ad.location}</bdi>
          </Meta>
        ) : null}
      </ul>
      {ad.placeId && ad.location ? <AdPlace placeId={ad.placeId} location={ad.location} /> : null}
    </header>
  );
};

const Meta = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <li className="flex min-w-0 items-center gap-1.5 [&_svg]:size-4 [&_svg]:shrink-0">
    {icon}
    <span className="min-w-0 wrap-anywhere">{children}</span>
  </li>
);

export const AdDetailSkeleton = () => (
  <SkeletonRegion className="container-page grid gap-6 pb-6 lg:grid-cols-12 lg:gap-x-10 lg:py-6">
    <Skeleton className="h-8 w-24 max-lg:hidden lg:col-span-12" />
    <Skeleton className="-mx-4 aspect-4/3 sm:-mx-6 lg:col-span-7 lg:mx-0 lg:rounded-card" />
    <div className="grid content-start gap-4 lg:col-span-5">
      <Skeleton className="h-6 w-40" />
      <Skeleton className="h-9 w-4/5" />
      <Skeleton className="h-9 w-32" />
      <Skeleton className="h-12 w-full" />
      <Skeleton className="h-40 w-full" />
      <Skeleton className="h-32 w-full rounded-card" />
    </div>
  </SkeletonRegion>
);

const FOLDED_LINES = 12;
const USUAL_LINE = 62;

/** An estimate for server rendering, so that hydration rarely shows "Show more" late and moves the content below. */
const looksLong = (text: string): boolean =>
  text.split('\n').reduce((lines, line) => lines + Math.max(1, Math.ceil(line.length / USUAL_LINE)), 0) > FOLDED_LINES;

export const Description = ({ text }: { text: string }) => {
  const paragraphRef = useRef<HTMLParagraphElement>(null);
  const [isLong, setLong] = useState(() => looksLong(text));
  const [isOpen, setOpen] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again for another text
  useLayoutEffect(() => {
    const element = paragraphRef.current;
    // An expanded text cannot be measured: its height equals its content. The earlier measurement applies.
    if (!element || isOpen) return;
    const measure = () => setLong(element.scrollHeight > element.clientHeight + 1);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [text, isOpen]);

  return (
    <section aria-labelledby="description" className="grid gap-2">
      <h2 id="description" className="card-heading">
        {t('ad.description')}
      </h2>
      <p
        ref={paragraphRef}
        dir="auto"
        className={cn('max-w-[68ch] break-words whitespace-pre-line', isOpen || 'line-clamp-12 print:line-clamp-none')}
      >
        {text}
      </p>
      {isLong ? (
        <Button
          variant="link"
          size="inline"
          className="min-h-8 w-fit"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t('ad.showLess') : t('ad.showMore')}
        </Button>
      ) : null}
    </section>
  );
};

/** The condition and the details that the seller stated. */
export const Details = ({ ad }: { ad: Ad }) => {
  const rows = useStatedDetails(ad);
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="details" className="grid gap-2">
      <h2 id="details" className="card-heading">
        {t('ad.details')}
      </h2>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-3">
        {rows.map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-sm text-muted-foreground">{label}</dt>
            <dd className="wrap-anywhere">
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
};

export const ExternalSite = ({ url }: { url: string }) => (
  <a
    href={url}
    target="_blank"
    rel="nofollow ugc noopener"
    className="flex items-center gap-3 rounded-card border border-border bg-accent p-4 font-medium text-accent-foreground hover:border-primary"
  >
    <ExternalLink className="size-5 shrink-0" />
    <span className="min-w-0">
      {t('ad.externalSite')}
      <span className="block truncate text-sm font-normal">
        {t('ad.newTab', { host: URL.parse(url)?.hostname ?? url })}
      </span>
    </span>
  </a>
);

const NOTICES = labels({
  pending: 'ad.noticePending',
  inactive: 'ad.noticeInactive',
  paused: 'ad.noticePaused',
  expired: 'ad.noticeExpired',
});

export const AdStatusBanner = ({ ad, onChange }: { ad: Ad; onChange: (ad: Ad) => void }) => {
  const toast = useToast();
  const renew = useApiMutation(renewAd);
  const pause = useApiMutation(setAdPaused);
  const { isBusy, run } = useAction();
  if (!ad.state || ad.state === 'active') return null;
  const reason = sayStateReason(ad);

  const handleRenew = () =>
    run(async () => {
      onChange(await renew({ params: { id: ad.id } }));
      toast({ title: t('ad.renewed'), description: t('ad.renewedText') });
    }, t('ad.renewFailed'));

  const handleResume = () =>
    run(async () => {
      onChange(await pause({ params: { id: ad.id }, body: { paused: false } }));
      toast({ title: t('ad.resumed'), description: t('ad.resumedText') });
    }, t('ad.resumeFailed'));

  return (
    <div className="grid gap-2 rounded-card bg-warning-soft p-4 text-sm text-warning">
      <p>{NOTICES[ad.state]}</p>
      {reason ? <p>{t('ad.reason', { reason })}</p> : null}
      <DecisionLink ad={ad} />
      {ad.state === 'paused' ? (
        <Button variant="outline" size="sm" className="w-fit" busy={isBusy} onClick={() => void handleResume()}>
          <Play />
          {t('ad.resume')}
        </Button>
      ) : null}
      {ad.state === 'expired' ? (
        <Button variant="outline" size="sm" className="w-fit" busy={isBusy} onClick={() => void handleRenew()}>
          <RotateCw />
          {t('ad.renew')}
        </Button>
      ) : null}
    </div>
  );
};

/** In place of what a buyer could do. */
export const SoldNotice = () => (
  <div className="grid gap-1 rounded-card bg-surface p-4">
    <p className="text-lg font-semibold">{t('states.sold')}</p>
    <p className="text-muted-foreground">{t('ad.soldText')}</p>
  </div>
);

export const SellerCard = ({ seller, isOwner }: { seller: User; isOwner: boolean }) => {
  // The facts say more than the badge.
  const { rating: _, ...badges } = seller;
  return (
    <Card className="relative transition-colors hover:border-input">
      <h2 className="sr-only">{t('ad.seller')}</h2>
      <div className="flex items-center gap-3">
        <Avatar src={seller.avatar} name={seller.displayName} className="size-12 text-lg" />
        <div className="min-w-0">
          <p className="flex items-center gap-1.5 font-semibold">
            {seller.username ? (
              <Link to={`/users/${seller.username}`} className="stretched-link truncate after:rounded-card">
                <bdi>{seller.displayName}</bdi>
              </Link>
            ) : (
              <bdi className="truncate">{seller.displayName}</bdi>
            )}
            <SellerBadges user={badges} />
          </p>
          {seller.username ? (
            <p className="truncate text-sm text-muted-foreground">
              <Handle name={seller.username} />
            </p>
          ) : null}
        </div>
      </div>
      <SellerFacts user={seller} className="mt-3" />
      {seller.username ? (
        <div className="mt-4 flex flex-wrap gap-2">
          {isOwner ? null : (
            <LinkButton to={`/users/${seller.username}`} variant="outline" size="sm" className="relative">
              {t('ad.viewSeller')}
            </LinkButton>
          )}
          <LinkButton
            to={`https://x.com/${seller.username}`}
            target="_blank"
            rel="noopener"
            variant="ghost"
            size="sm"
            className="relative"
          >
            <XLogo className="size-3.5" />
            {t('ad.xProfile')}
          </LinkButton>
        </div>
      ) : null}
    </Card>
  );
};

const TIPS: readonly TextKey[] = ['ad.tipPlace', 'ad.tipInspect', 'ad.tipPrivate', 'ad.tipPayment', 'ad.tipInstinct'];

export const SafetyCard = () => (
  <Card className="bg-surface">
    <h2 className="flex items-center gap-2 font-semibold">
      <ShieldCheck className="size-5 text-success" />
      {t('shell.safetyTips')}
    </h2>
    <ul className="mt-3 grid list-disc gap-1.5 ps-5 text-sm text-muted-foreground">
      {TIPS.map((tip) => (
        <li key={tip}>{t(tip)}</li>
      ))}
    </ul>
    <Link to="/safety-tips" className="mt-3 inline-flex min-h-8 items-center text-sm text-link">
      {t('ad.moreSafety')}
    </Link>
  </Card>
);
