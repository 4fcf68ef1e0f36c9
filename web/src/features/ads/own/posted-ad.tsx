import { Plus, Share2 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Ad } from '../../../../../contract/ads.ts';
import { t } from '../../../../../contract/i18n.ts';
import { toPriceText } from '../../../../../contract/prices.ts';
import { LinkButton } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { loadActionMenu, MenuButton } from '../../../ui/lazy-overlays.tsx';
import { AdThumb } from '../ad-card.tsx';
import { useShare } from '../use-share.ts';

/** The ad that was posted a moment ago, and what one does next. */
export const PostedAd = ({ ad }: { ad: Ad }) => {
  const headingRef = useRef<HTMLHeadingElement>(null);
  const { actions } = useShare(ad);
  const isLive = ad.isActive;
  useEffect(() => headingRef.current?.focus(), []);
  return (
    <Card className="grid gap-4 border-primary">
      <div className="flex items-center gap-4">
        <AdThumb ad={ad} />
        <div className="min-w-0">
          <h2 ref={headingRef} tabIndex={-1} className="section-heading">
            {isLive ? t('dashboard.isLive') : t('dashboard.inReview')}
          </h2>
          <p className="flex gap-1">
            <bdi className="truncate">{ad.title}</bdi>
            <span className="shrink-0">· {toPriceText(ad)}</span>
          </p>
          {isLive ? null : <p className="text-sm text-muted-foreground">{t('dashboard.inReviewText')}</p>}
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        <LinkButton to={`/ads/${ad.id}`}>{t('dashboard.viewAd')}</LinkButton>
        {isLive ? (
          <MenuButton
            label={t('dashboard.share')}
            variant="outline"
            size="md"
            load={loadActionMenu}
            menu={{ title: t('dashboard.share'), actions }}
          >
            <Share2 /> {t('dashboard.share')}
          </MenuButton>
        ) : null}
        <LinkButton to="/create-ad" variant="outline">
          <Plus /> {t('dashboard.postAnother')}
        </LinkButton>
      </div>
    </Card>
  );
};
