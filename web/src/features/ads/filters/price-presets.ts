import { t } from '../../../../../contract/i18n.ts';
import { formatPrice, getMoney } from '../../../../../contract/money.ts';

const STEPS = [50, 200, 1000];
/** A currency of so many digits has small units: 5,000 yen where others write 50. */
const USUAL_DIGITS = 8;

interface PricePreset {
  label: string;
  /** Empty: no limit. */
  minPrice: string;
  maxPrice: string;
}

/** Up to each step, and what is above the last one. */
export const listPricePresets = (): PricePreset[] => {
  const factor = getMoney().currency.digits > USUAL_DIGITS ? 100 : 1;
  const prices = STEPS.map((step) => String(step * factor));
  const last = prices.at(-1) ?? '';
  return [
    ...prices.map((maxPrice) => ({
      label: t('list.upTo', { price: formatPrice(maxPrice) }),
      minPrice: '',
      maxPrice,
    })),
    { label: t('list.from', { price: formatPrice(last) }), minPrice: last, maxPrice: '' },
  ];
};
