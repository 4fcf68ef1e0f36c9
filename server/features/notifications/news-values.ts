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

/** The day of a time where the marketplace is, as "2026-12-31". */
export const toDay = (time: string, timeZone: string): string => {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return parts.format(new Date(time));
};

/** Creating one takes longer than all else that is done for a notification. */
const dateFormats = new Map<string, Intl.DateTimeFormat>();

/** A day, or a time in UTC. */
export const formatTime = (time: string, timeStyle?: 'short'): string => {
  const locale = getLocale();
  const key = `${locale} ${timeStyle}`;
  const format =
    dateFormats.get(key) ?? new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle, timeZone: 'UTC' });
  dateFormats.set(key, format);
  return format.format(new Date(time));
};

/** English as this site writes it has no comma before "and". */
const toListLocale = (locale: string): string => (locale === ENGLISH_LOCALE ? 'en-GB' : locale);

const toList = (titles: readonly string[]): string => new Intl.ListFormat(toListLocale(getLocale())).format(titles);

const toTitles = (titles: readonly string[]): string[] => titles.map((title) => isolate(title, getLanguage()));

/** "Road bike, Gravel bike and 2 more". */
export const toSome = (titles: readonly string[], count: number): string => {
  const more = count - titles.length;
  return toList(more > 0 ? [...toTitles(titles), t('news.more', { count: more })] : toTitles(titles));
};
