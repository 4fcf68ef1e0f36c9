import { type Ad, type AdInput, countSavers, updateAd } from '../../../../../contract/ads.ts';
import { parseAmount, readTyped } from '../../../../../contract/amount.ts';
import { t } from '../../../../../contract/i18n.ts';
import { formatPrice } from '../../../../../contract/money.ts';
import { getErrorMessage } from '../../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../../api/query.ts';
import { useApiForm } from '../../../api/use-api-form.ts';
import { useFormValues } from '../../../api/use-form-values.ts';
import { draftKey } from '../../../lib/draft.ts';
import { DialogFormFooter } from '../../../ui/dialog-form-footer.tsx';
import { Field } from '../../../ui/form-controls.tsx';
import { Dialog } from '../../../ui/lazy-overlays.tsx';
import { PriceInput } from '../../../ui/price-input.tsx';
import { useToast } from '../../../ui/toast/toast.tsx';

interface LowerPriceDialogProps {
  ad: Ad;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export const LowerPriceDialog = ({ ad, open, onOpenChange }: LowerPriceDialogProps) => (
  <Dialog open={open} onOpenChange={onOpenChange} title={t('lowerPrice.lowerPrice')} description={ad.title}>
    <LowerPriceForm ad={ad} onClose={() => onOpenChange(false)} />
  </Dialog>
);

/** The ad as it is, for an edit that changes nothing else. */
const toBody = (ad: Ad) => {
  const { title, description, priceType, condition, location, placeId, details, externalLink, allowMessages } = ad;
  const { imageUrls, version, categorySlug: category } = ad;
  return {
    ...{ title, description, priceType, condition, location, placeId, details, externalLink, allowMessages },
    ...{ imageUrls, version, category },
  } satisfies Record<Exclude<keyof AdInput, 'price'>, unknown>;
};

const LowerPriceForm = ({ ad, onClose }: { ad: Ad; onClose: () => void }) => {
  const toast = useToast();
  const update = useApiMutation(updateAd);
  const { data } = useApiQuery(countSavers, { params: { id: ad.id } });
  const apiForm = useApiForm<{ price: string }>({
    endpoint: updateAd,
    toBody: ({ price }) => ({ ...toBody(ad), price: readTyped(price) }),
    findProblems: async ({ price }): Promise<Record<string, string>> => {
      const amount = parseAmount(price);
      const isLower = amount === undefined || Number(amount) < Number(ad.price);
      return isLower ? {} : { price: t('lowerPrice.enterLess', { price: formatPrice(ad.price) }) };
    },
    saved: { price: '' },
    draft: { key: draftKey(ad.userId, `price:${ad.id}`), since: 'typed' },
  });
  const { form, isSending } = apiForm;
  const typed = parseAmount(useFormValues(form, 'price')[0]);
  const savers = data?.savers ?? 0;
  const dropPrice = data?.dropPrice ?? null;
  const isDrop = dropPrice !== null && (typed === undefined || Number(typed) <= Number(dropPrice));

  const submit = apiForm.createSubmit({
    send: ({ price }) => update({ params: { id: ad.id }, body: { ...toBody(ad), price: readTyped(price) } }),
    onSent: ({ price }) => {
      const isTold = savers > 0 && dropPrice !== null && Number(price) <= Number(dropPrice);
      onClose();
      toast({
        title: t('lowerPrice.priceLowered', { price: formatPrice(price) }),
        description: isTold ? t('lowerPrice.saversTold', { count: savers }) : undefined,
      });
    },
    onRefused: (error) => apiForm.setFailure(getErrorMessage(error, t('lowerPrice.priceFailed'))),
  });

  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <Field
        label={t('lowerPrice.newPrice')}
        required
        error={form.formState.errors.price?.message}
        hint={t('lowerPrice.priceNow', { price: formatPrice(ad.price) })}
      >
        <PriceInput disabled={isSending} {...form.register('price')} />
      </Field>
      <p role="status" className="text-sm text-muted-foreground empty:hidden">
        {savers === 0 || dropPrice === null
          ? null
          : isDrop
            ? t('lowerPrice.saversHear', { count: savers })
            : t('lowerPrice.saversHearOf', { count: savers, price: formatPrice(dropPrice) })}
      </p>
      <DialogFormFooter form={apiForm} onCancel={onClose}>
        {t('lowerPrice.lowerPrice')}
      </DialogFormFooter>
    </form>
  );
};
