import { getLanguage, getLocale, isolate, t } from '../../../contract/i18n.ts';
import { ENGLISH_LOCALE } from '../../../contract/languages.ts';
import { formatPrice, getMoney, type Money } from '../../../contract/money.ts';
import { type PriceType, toPriceText } from '../../../contract/prices.ts';
import { toCurrency } from '../../config/currencies.ts';

/** An amount, in the currency that the marketplace had when it was told. */
export interface Amount {
  amount: string;
  currency: string;
}

/** What an ad costs, and what that means. */
export interface Asking extends Amount {
  priceType: PriceType;
}

/** A price that the marketplace has now. */
export const toAmount = (amount: string): Amount => ({ amount, currency: getMoney().currency.code });

const toMoney = (currency: string): Money => ({ currency: toCurrency(currency), locale: getLocale() });

/** "$40", in that currency. */
export const formatAmount = ({ amount, currency }: Amount): string => formatPrice(amount, toMoney(currency));

/** The price of an ad and what it means, in that currency. */
export const formatAsking = ({ amount, currency, priceType }: Asking): string =>
  toPriceText({ price: amount, priceType }, toMoney(currency));

/** English as this site writes it has no comma before "and". */
const toListLocale = (locale: string): string => (locale === ENGLISH_LOCALE ? 'en-GB' : locale);

const toList = (titles: readonly string[]): string => new Intl.ListFormat(toListLocale(getLocale())).format(titles);

const toTitles = (titles: readonly string[]): string[] => titles.map((title) => isolate(title, getLanguage()));

/** "Road bike, Gravel bike and 2 more". */
export const toSome = (titles: readonly string[], count: number): string => {
  const more = count - titles.length;
  return toList(more > 0 ? [...toTitles(titles), t('news.more', { count: more })] : toTitles(titles));
};
