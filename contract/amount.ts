import { ENGLISH_LOCALE } from './languages.ts';
import { type Currency, findPart, getMoney, isAmount, type Money } from './money.ts';

/** Longer texts are no amount. */
const MAX_LENGTH = 40;

/** Digits, or groups of three with one kind of separator. */
const WHOLE = /^(?:\d+|[1-9]\d{0,2}([., '])\d{3}(?:\1\d{3})*)$/;

/** Groups as people write them in India and around: "1,23,456". */
const LAKHS = /^[1-9]\d?(?:,\d\d)+,\d{3}$/;
const COUNTED_IN_LAKHS = new Set(['INR', 'PKR', 'BDT', 'NPR', 'LKR']);

/** Full-width and Arabic characters as ASCII, every blank as a space, without marks of direction. */
export const toAscii = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06F0-\u06F9]/g, (digit) => String(digit.charCodeAt(0) % 16))
    .replace(/[\u061C\u200E\u200F\u2066-\u2069]/g, '')
    .replaceAll('\u066B', '.')
    .replaceAll('\u066C', ',')
    .replaceAll('’', "'");

/** How the currency may be written: "$", "US$", "USD", "US dollars", "dollar". */
const listSigns = (money: Money): string[] =>
  (['code', 'symbol', 'narrowSymbol', 'name'] as const)
    .flatMap((currencyDisplay) => [1, 2].map((amount) => findPart('currency', money, amount, currencyDisplay)))
    .flatMap((text) => [text, money.currency.code.slice(0, 2) + text, ...text.split(/[ -]/)])
    .map((text) => toAscii(text).toUpperCase());

/** The text without a sign of the currency before or behind it. */
export const withoutSign = (text: string, money: Money): string => {
  // few amounts have one, and loading Intl's data takes time
  if (/^[\d.,' -]*$/.test(text)) return text;
  const upper = text.toUpperCase();
  const [sign = ''] = listSigns(money)
    .filter((sign) => upper.startsWith(sign) || upper.endsWith(sign))
    .sort((a, b) => b.length - a.length);
  return (upper.startsWith(sign) ? text.slice(sign.length) : text.slice(0, -sign.length)).trim();
};

/** What is before the decimals, perhaps "." or ",", and decimals or a dash. */
const splitDecimals = (text: string, { decimals }: Currency): [whole: string, point?: string, decimals?: string] => {
  const digits = decimals > 0 ? `(?:(\\d{1,${decimals}})|-?)` : '-?()';
  const [, whole = '', point, part] = new RegExp(`^([\\d., ']*?)(?:([.,])${digits})?$`).exec(text) ?? [];
  return [whole, point, part || undefined];
};

/**
 * An amount as people write it in the language and currency of the page, in the form of the API: "12,50" is 12.50; "1,250",
 * "1 250.00" and "$1.250,00" are 1250. Undefined if the text is no amount, or could be two: in English "1.250" may have three
 * decimals. (Where the currency has three, it has them.)
 */
export const parseAmount = (text: string, money: Money = getMoney()): string | undefined => {
  if (text.length > MAX_LENGTH) return undefined;
  const { currency } = money;
  const typed = withoutSign(toAscii(text).trim(), money);
  const group = money.locale === ENGLISH_LOCALE ? ',' : toAscii(findPart('group', money));
  let [whole, point, decimals] = splitDecimals(typed, currency);
  // in a currency with three decimals: a last group, not decimals
  if (decimals?.length === 3 && point !== undefined && (point === group || whole.includes(point))) {
    [whole, point, decimals] = [whole + point + decimals, undefined, undefined];
  }
  const isLakhs = COUNTED_IN_LAKHS.has(currency.code) && LAKHS.test(whole);
  if (whole === '' ? decimals === undefined : !WHOLE.test(whole) && !isLakhs) return undefined;
  const isMixedUp = point !== undefined && whole.includes(point);
  const isAmbiguous = point === undefined && /^\d+[.,]\d+$/.test(whole) && !whole.includes(group);
  if (isMixedUp || isAmbiguous) return undefined;
  const amount = Number(whole.replace(/\D/g, ''));
  const canonical = decimals === undefined ? `${amount}` : `${amount}.${decimals}`;
  return isAmount(canonical, currency) ? canonical : undefined;
};

/** What an address or a program says, as an amount if it is one. */
export const readAmount = (text: string): string =>
  parseAmount(text, { ...getMoney(), locale: ENGLISH_LOCALE }) ?? text.trim();

/** What a person typed, as an amount if it is one. */
export const readTyped = (text: string): string => parseAmount(text) ?? text.trim();

/** An amount as a person would type it: "12.50", in German "12,50". */
export const toTyped = (amount: string, money: Money = getMoney()): string =>
  money.locale === ENGLISH_LOCALE ? amount : amount.replace('.', toAscii(findPart('decimal', money)));
