import { Plus, Share2 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Ad } from '../../../../../contract/ads.ts';
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
            {isLive ? 'It is live' : 'It waits for review'}
          </h2>
          <p className="truncate">
            <bdi>{ad.title}</bdi> · {toPriceText(ad)}
          </p>
          {isLive ? null : <p className="text-sm text-muted-foreground">You are told when everyone can see it.</p>}
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        <LinkButton to={`/ads/${ad.id}`}>View ad</LinkButton>
        {isLive ? (
          <MenuButton
            label="Share"
            variant="outline"
            size="md"
            load={loadActionMenu}
            menu={{ title: 'Share', actions }}
          >
            <Share2 /> Share
          </MenuButton>
        ) : null}
        <LinkButton to="/create-ad" variant="outline">
          <Plus /> Post another
        </LinkButton>
      </div>
    </Card>
  );
};
