import { type Ad, setAdSold } from '../../../../../contract/ads.ts';
import { t } from '../../../../../contract/i18n.ts';
import type { User } from '../../../../../contract/user.ts';
import { useApiMutation, useInvalidateQueries } from '../../../api/query.ts';
import { useAction } from '../../../api/use-action.ts';
import { useToast } from '../../../ui/toast/toast.tsx';

const UNDO_MS = 10_000;

/**
 * Marks an ad as sold, with Undo, or as available. `onChange` is called with each saved ad. A refusal makes what is on
 * screen load again.
 */
export const useSale = ({ id }: Pick<Ad, 'id'>, onChange: (ad: Ad) => void) => {
  const set = useApiMutation(setAdSold);
  const invalidate = useInvalidateQueries();
  const toast = useToast();
  const { isBusy, run } = useAction();
  const params = { id };

  const markAvailable = async (): Promise<void> => {
    const isDone = await run(async () => onChange(await set({ params, body: { isSold: false } })), t('sale.failed'));
    if (isDone) toast({ title: t('sale.available') });
    else await invalidate(...setAdSold.invalidates);
  };

  /** Rejects with what the server refused. */
  const markSold = async (buyer: User | undefined): Promise<void> => {
    try {
      onChange(await set({ params, body: { isSold: true, ...(buyer && { buyerId: buyer.id }) } }));
    } catch (error) {
      void invalidate(...setAdSold.invalidates);
      throw error;
    }
    toast({
      title: t('sale.soldToast'),
      description: buyer && t('sale.notified', { name: buyer.displayName }),
      duration: UNDO_MS,
      action: { label: t('sale.undo'), onClick: () => void markAvailable() },
    });
  };

  return { isBusy, markAvailable, markSold };
};
