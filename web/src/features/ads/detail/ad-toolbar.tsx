import { clsx as cn } from 'clsx';
import { ArrowLeft, Ellipsis, Flag, Heart, Link2, MessageCircle, Share2 } from 'lucide-react';
import { useState } from 'react';
import type { Ad } from '../../../../../contract/ads.ts';
import { t } from '../../../../../contract/i18n.ts';
import { useSession } from '../../../api/session.ts';
import { useGoBack } from '../../../hooks/use-go-back.ts';
import { Button } from '../../../ui/button.tsx';
import { loadActionMenu, MenuButton } from '../../../ui/lazy-overlays.tsx';
import { useOpenSignIn } from '../../auth/sign-in.tsx';
import { useAdFavorite } from '../../favorites/favorites.tsx';
import { ReportDialog } from '../../reports/report-button.tsx';
import { useShare } from '../use-share.ts';

/** On a phone the buttons are round and lie on the photo. */
const ON_PHOTO = 'max-lg:size-11 max-lg:rounded-full max-lg:border-0 max-lg:bg-card max-lg:px-0 max-lg:shadow-raised';

interface AdToolbarProps {
  ad: Ad;
  isOwner: boolean;
  /** Writes to the seller of an ad whose page has no button for it. */
  onContact: (() => void) | undefined;
}

export const AdToolbar = ({ ad, isOwner, onContact }: AdToolbarProps) => {
  const goBack = useGoBack();
  const { isFavorited, toggle } = useAdFavorite(ad.id);
  return (
    <div className="flex flex-wrap items-center gap-2 max-lg:pointer-events-none max-lg:absolute max-lg:inset-x-3 max-lg:top-3 max-lg:z-1 max-lg:*:pointer-events-auto lg:pb-3">
      <Button variant="ghost" className={cn(ON_PHOTO, 'me-auto lg:-ms-3')} onClick={() => goBack('/')}>
        <ArrowLeft />
        <span className="max-lg:sr-only">{t('ad.back')}</span>
      </Button>
      <ShareButtons ad={ad} />
      <Button
        variant="outline"
        size="icon"
        className={ON_PHOTO}
        aria-pressed={isFavorited}
        aria-label={t('list.saveAd', { title: ad.title })}
        onClick={() => void toggle()}
      >
        <Heart className={cn('size-5', isFavorited && 'fill-favorite text-favorite')} />
      </Button>
      {isOwner ? null : <MoreActions ad={ad} onContact={onContact} />}
    </div>
  );
};

/** A menu with all ways to share the ad; on wide screens, its link has a button of its own. */
const ShareButtons = ({ ad }: { ad: Ad }) => {
  const { copy, actions } = useShare(ad);
  return (
    <>
      <Button
        variant="outline"
        size="icon"
        aria-label={t('ad.copyLink')}
        className="max-lg:hidden"
        onClick={() => void copy()}
      >
        <Link2 className="size-5" />
      </Button>
      <MenuButton
        label={t('ad.share')}
        variant="outline"
        load={loadActionMenu}
        className={ON_PHOTO}
        menu={{ title: t('ad.share'), actions }}
      >
        <Share2 className="size-5" />
      </MenuButton>
    </>
  );
};

const MoreActions = ({ ad, onContact }: Pick<AdToolbarProps, 'ad' | 'onContact'>) => {
  const { user } = useSession();
  const openSignIn = useOpenSignIn();
  const [isReporting, setReporting] = useState(false);
  return (
    <>
      <MenuButton
        label={t('ad.moreActions', { title: ad.title })}
        variant="outline"
        load={loadActionMenu}
        className={ON_PHOTO}
        menu={{
          title: t('ad.ad'),
          actions: [
            ...(onContact ? [{ icon: MessageCircle, label: t('ad.contactSeller'), onSelect: onContact }] : []),
            { icon: Flag, label: t('ad.report'), onSelect: () => (user ? setReporting(true) : openSignIn()) },
          ],
        }}
      >
        <Ellipsis className="size-5" />
      </MenuButton>
      <ReportDialog target={{ type: 'ad', id: ad.id, name: ad.title }} open={isReporting} onOpenChange={setReporting} />
    </>
  );
};
