import { CircleCheck, CirclePause, Copy, Ellipsis, Pencil, Play, RotateCcw, Trash2, TrendingDown } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Ad } from '../../../../../contract/ads.ts';
import { canRenew } from '../../../../../contract/expiry.ts';
import { t } from '../../../../../contract/i18n.ts';
import { PRICE_RULES } from '../../../../../contract/prices.ts';
import { useAction } from '../../../api/use-action.ts';
import { Button, LinkButton } from '../../../ui/button.tsx';
import { lazyOverlay, loadActionMenu, MenuButton } from '../../../ui/lazy-overlays.tsx';
import { useToast } from '../../../ui/toast/toast.tsx';
import { askToDelete, type OwnAction, TEXTS, toDescription, useOwnActions } from './own-actions.ts';

const SellDialog = lazyOverlay(() => import('../sale/sell-dialog.tsx').then((module) => module.SellDialog));
const LowerPriceDialog = lazyOverlay(() =>
  import('./lower-price-dialog.tsx').then((module) => module.LowerPriceDialog),
);

/** On a phone without its icon, so that all actions of an ad stand in one row. */
const ACTION = 'whitespace-nowrap max-sm:grow max-sm:px-2 max-sm:[&>svg]:hidden';

/** A sale makes the table load again. */
const ignore = () => {};

export const OwnAdActions = ({ ad }: { ad: Ad }) => {
  const toast = useToast();
  const navigate = useNavigate();
  const act = useOwnActions();
  const { isBusy, run } = useAction();
  const [open, setOpen] = useState<'sale' | 'price'>();
  const isForSale = !ad.isSold && (ad.state === 'active' || ad.state === 'paused');
  const close = () => setOpen(undefined);

  const handle = (action: OwnAction) => {
    if (action === 'delete' && !askToDelete(1)) return;
    const { title, failure } = TEXTS[action];
    void run(async () => {
      const saved = await act.one(action, ad);
      toast({ title: t(title), description: toDescription(action, saved) });
    }, t(failure));
  };
  const actions = [
    ...(canRenew(ad, Date.now())
      ? [{ icon: RotateCcw, label: t('dashboard.renew'), onSelect: () => handle('renew') }]
      : []),
    ...(isForSale
      ? [
          ad.state === 'paused'
            ? { icon: Play, label: t('dashboard.resume'), onSelect: () => handle('resume') }
            : { icon: CirclePause, label: t('dashboard.pause'), onSelect: () => handle('pause') },
        ]
      : []),
    { icon: Copy, label: t('dashboard.duplicate'), onSelect: () => void navigate(`/create-ad?copy=${ad.id}`) },
    { icon: Trash2, label: t('dashboard.delete'), onSelect: () => handle('delete') },
  ];
  return (
    <div className="flex flex-wrap items-center gap-2 max-md:w-full max-sm:gap-1.5 md:max-xl:min-w-64 xl:flex-nowrap">
      {isForSale ? (
        <>
          <Button
            variant="outline"
            size="sm"
            className={ACTION}
            aria-label={t('dashboard.markSoldOf', { title: ad.title })}
            onClick={() => setOpen('sale')}
          >
            <CircleCheck /> {t('dashboard.markSold')}
          </Button>
          {PRICE_RULES[ad.priceType].isForSale && Number(ad.price) > 0 ? (
            <Button
              variant="outline"
              size="sm"
              className={ACTION}
              aria-label={t('dashboard.lowerPriceOf', { title: ad.title })}
              onClick={() => setOpen('price')}
            >
              <TrendingDown /> {t('dashboard.lowerPrice')}
            </Button>
          ) : null}
        </>
      ) : null}
      <LinkButton
        to={`/ads/${ad.id}/edit`}
        variant="outline"
        size="sm"
        className={ACTION}
        aria-label={t('dashboard.editOf', { title: ad.title })}
      >
        <Pencil /> {t('dashboard.edit')}
      </LinkButton>
      <MenuButton
        label={t('dashboard.moreFor', { title: ad.title })}
        load={loadActionMenu}
        menu={{ title: ad.title, actions }}
      >
        <Ellipsis className={isBusy ? 'animate-pulse' : undefined} />
      </MenuButton>
      <SellDialog ad={ad} open={open === 'sale'} onOpenChange={close} onChange={ignore} />
      <LowerPriceDialog ad={ad} open={open === 'price'} onOpenChange={close} />
    </div>
  );
};
