import { CircleCheck, Pencil, RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type Ad, deleteAd, getAd } from '../../../../../contract/ads.ts';
import { t } from '../../../../../contract/i18n.ts';
import { toUrl } from '../../../../../contract/initial-state.ts';
import { apiRequest } from '../../../api/client.ts';
import { useInvalidateQueries, useQueryCache } from '../../../api/query.ts';
import { useGoBack } from '../../../hooks/use-go-back.ts';
import { unlessOffline } from '../../../lib/online.ts';
import { Button, LinkButton } from '../../../ui/button.tsx';
import { lazyOverlay } from '../../../ui/lazy-overlays.tsx';
import { useToast } from '../../../ui/toast/toast.tsx';
import { useSale } from '../sale/use-sale.ts';

const SellDialog = lazyOverlay(() => import('../sale/sell-dialog.tsx').then((module) => module.SellDialog));

export const OwnerActions = ({ ad, onChange }: { ad: Ad; onChange: (ad: Ad) => void }) => {
  const toast = useToast();
  const sale = useSale(ad, onChange);
  const invalidate = useInvalidateQueries();
  const cache = useQueryCache();
  const goBack = useGoBack();
  const [isBusy, setBusy] = useState(false);
  const [isSelling, setSelling] = useState(false);

  const handleDelete = async () => {
    if (!window.confirm(t('ad.deleteQuestion'))) return;
    setBusy(true);
    try {
      await apiRequest(deleteAd, { params: { id: ad.id } });
      toast({ title: t('ad.deleted'), description: t('ad.deletedText') });
      goBack('/dashboard');
      // Must come before the invalidation, which would fetch the deleted ad while this page is on screen.
      const url = toUrl(getAd, { params: { id: ad.id } });
      cache.tags.delete(url);
      cache.delete(url);
      void invalidate(...deleteAd.invalidates);
    } catch {
      toast.error(unlessOffline(t('ad.deleteFailed')));
      setBusy(false);
    }
  };

  return (
    <div className="grid gap-2 sm:grid-cols-2">
      <LinkButton to={`/ads/${ad.id}/edit`} state={{ isFromAd: true }} className="sm:col-span-2">
        <Pencil />
        {t('ad.edit')}
      </LinkButton>
      <Button
        variant="outline"
        busy={isBusy || sale.isBusy}
        onClick={() => (ad.isSold ? void sale.markAvailable() : setSelling(true))}
      >
        {ad.isSold ? <RotateCcw /> : <CircleCheck />}
        {ad.isSold ? t('ad.markAvailable') : t('ad.markSold')}
      </Button>
      <Button variant="outline" className="text-destructive" busy={isBusy} onClick={() => void handleDelete()}>
        <Trash2 />
        {t('ad.delete')}
      </Button>
      <SellDialog ad={ad} open={isSelling} onOpenChange={setSelling} onChange={onChange} />
    </div>
  );
};
