import * as z from 'zod/mini';
import { labels, t } from './i18n.ts';
import { formatPrice, type Money } from './money.ts';
import { says } from './says.ts';

/** `negotiable`: "or best offer". The price of a `free` ad is 0, that of a `wanted` ad is what the person would pay. */
export const PRICE_TYPES = labels({
  fixed: 'list.price_fixed',
  negotiable: 'list.price_negotiable',
  free: 'list.price_free',
  wanted: 'list.price_wanted',
});
export type PriceType = keyof typeof PRICE_TYPES;
export const PriceTypeName = z.enum(
  Object.keys(PRICE_TYPES) as [PriceType, ...PriceType[]],
  says('fields.unknownPriceType'),
);

interface PriceRules {
  /** Something is sold. Otherwise a person looks for it, and the price is what they would pay. */
  isForSale: boolean;
  /** Buyers may offer another price. */
  isNegotiable: boolean;
  /** The price is 0. */
  isFree: boolean;
}

const FIXED: PriceRules = { isForSale: true, isNegotiable: false, isFree: false };

/** What each kind of price implies, wherever ads are handled. */
export const PRICE_RULES: Record<PriceType, PriceRules> = {
  fixed: FIXED,
  negotiable: { ...FIXED, isNegotiable: true },
  free: { ...FIXED, isFree: true },
  wanted: { ...FIXED, isForSale: false },
};

interface Priced {
  price: string;
  /** Null if it is not known. */
  priceType: PriceType | null;
}

/** "Free" or the price of an ad, for places that show beside it what the price means. */
export const toAmountText = ({ price, priceType }: Priced, money?: Money): string =>
  priceType && PRICE_RULES[priceType].isFree ? t('list.free') : formatPrice(price, money);

/** The price of an ad and what it means: "$40", "Free", "$40 or best offer", "Wanted for $40". */
export const toPriceText = (ad: Priced, money?: Money): string => {
  const amount = toAmountText(ad, money);
  switch (ad.priceType) {
    case 'negotiable':
      return t('list.priceNegotiable', { price: amount });
    case 'wanted':
      return t('list.priceWanted', { price: amount });
    case 'fixed':
    case 'free':
    case null:
      return amount;
  }
};
