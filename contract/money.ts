import { getLocale, isolate } from './i18n.ts';

/** A currency of ISO 4217. An amount has at most `digits` before the point and `decimals` after it. */
export interface Currency {
  code: string;
  decimals: number;
  digits: number;
}

/** How amounts of money are written: in a currency, as a language does. */
export interface Money {
  currency: Currency;
  locale: string;
}

export const DEFAULT_CURRENCY: Currency = { code: 'USD', decimals: 2, digits: 8 };

let siteCurrency = DEFAULT_CURRENCY;

/** A marketplace has one currency: the server sets it when it starts, the browser when it reads the initial state. */
export const setCurrency = (currency: Currency): void => {
  siteCurrency = currency;
};

export const getMoney = (): Money => ({ currency: siteCurrency, locale: getLocale() });

const formats: Record<string, Intl.NumberFormat> = {};

/** Created on first use: loading Intl's data slows down the start of the server. */
export const formatMoney = ({ currency, locale }: Money, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat => {
  const key = [locale, currency.code, ...Object.values(options)].join();
  formats[key] ??= new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: currency.code,
    // a marketplace has one currency: no "A$" where all dollars are Australian
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: currency.decimals,
    maximumFractionDigits: currency.decimals,
    trailingZeroDisplay: 'stripIfInteger',
    ...options,
  });
  return formats[key];
};

/** "$1,200", "$9.50": whole amounts without decimals. In Arabic, a sign such as "US$" keeps its own direction. */
export const formatPrice = (price: string | number, money: Money = getMoney()): string =>
  formatMoney(money)
    .formatToParts(Number(price))
    .map(({ type, value }) => (type === 'currency' ? isolate(value, money.locale) : value))
    .join('');

type Part = 'currency' | 'group' | 'decimal';

/** What separates groups of three digits in a language, or the decimals; the sign of the currency, or its name by the amount. */
export const findPart = (
  part: Part,
  money: Money = getMoney(),
  amount = 1_234_567.1,
  currencyDisplay: Intl.NumberFormatOptions['currencyDisplay'] = 'narrowSymbol',
): string =>
  formatMoney(money, { currencyDisplay, minimumFractionDigits: 1, maximumFractionDigits: 1 })
    .formatToParts(amount)
    .find(({ type }) => type === part)?.value ?? '';

/** Whether the text is an amount in the form of the API. */
export const isAmount = (text: string, { decimals, digits }: Currency = siteCurrency): boolean => {
  const [, whole = '', part = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  return whole !== '' && whole.length <= digits && part.length <= decimals;
};
