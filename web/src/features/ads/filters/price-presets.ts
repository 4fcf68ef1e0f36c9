import { t } from '../../../../../contract/i18n.ts';
import { formatPrice, getMoney } from '../../../../../contract/money.ts';

const STEPS = [50, 200, 1000];
/** Of categories where most things cost more, or less. An operator's own have the usual ones. */
const STEPS_OF: Partial<Record<string, number[]>> = {
  vehicles: [2000, 8000, 20_000],
  'real-estate': [1000, 100_000, 300_000],
  industrial: [200, 1000, 5000],
  computers: [100, 300, 800],
  jewelry: [50, 300, 1500],
  books: [5, 10, 30],
  clothing: [10, 30, 100],
  'baby-kids': [10, 30, 100],
  toys: [10, 30, 100],
};
/** A currency of so many digits has small units: 5,000 yen where others write 50. */
const USUAL_DIGITS = 8;

interface PricePreset {
  label: string;
  /** Empty: no limit. */
  minPrice: string;
  maxPrice: string;
}

/** Up to each step, and what is above the last one. */
export const listPricePresets = (category = ''): PricePreset[] => {
  const factor = getMoney().currency.digits > USUAL_DIGITS ? 100 : 1;
  const prices = (STEPS_OF[category] ?? STEPS).map((step) => String(step * factor));
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
