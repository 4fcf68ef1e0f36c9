/** Longer texts are no amount. */
const MAX_LENGTH = 40;

const CURRENCY = /^(?:US ?\$|\$|USD) ?| ?(?:US ?\$|\$|USD)$/i;
/** What is before the decimals, perhaps "." or ",", and one or two decimals or a dash. */
const PARTS = /^([\d., ']*?)(?:([.,])(?:(\d{1,2})|-?))?$/;
/** Digits, or groups of three with one kind of separator. */
const WHOLE =
  /^(?:\d+|[1-9]\d{0,2}(?:\.\d{3})+|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?: \d{3})+|[1-9]\d{0,2}(?:'\d{3})+)$/;
const CANONICAL = /^\d{1,8}(?:\.\d{1,2})?$/;

/** Full-width and Arabic characters as ASCII, every blank as a space. */
const toAscii = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06F0-\u06F9]/g, (digit) => String(digit.charCodeAt(0) % 16))
    .replaceAll('\u066B', '.')
    .replaceAll('\u066C', ',')
    .replaceAll('’', "'");

/** What separates groups of three digits. The other one separates decimals. */
type GroupSeparator = ',' | '.';

/**
 * An amount in dollars as people write it, in the form of the API: "12,50" is 12.50; "1,250", "1 250.00" and "$1.250,00"
 * are 1250. Undefined if the text is no amount up to 99,999,999.99, or could be two: where a comma separates thousands, "1.250"
 * may have three decimals. `group` is the separator of thousands in the language of the page: "." in German.
 */
export const parseAmount = (text: string, group: GroupSeparator = ','): string | undefined => {
  if (text.length > MAX_LENGTH) return undefined;
  const typed = toAscii(text).trim().replace(CURRENCY, '');
  const [, whole = '', point, decimals] = PARTS.exec(typed) ?? [];
  if (whole === '' ? decimals === undefined : !WHOLE.test(whole)) return undefined;
  const isMixedUp = point !== undefined && whole.includes(point);
  const isAmbiguous = point === undefined && /^\d+[.,]\d+$/.test(whole) && !whole.includes(group);
  if (isMixedUp || isAmbiguous) return undefined;
  const amount = whole.replace(/\D/g, '').replace(/^0+(?=\d)/, '') || '0';
  const canonical = decimals === undefined ? amount : `${amount}.${decimals}`;
  return CANONICAL.test(canonical) ? canonical : undefined;
};

/** What was typed, as an amount if it is one. */
export const readAmount = (typed: string): string => parseAmount(typed) ?? typed.trim();
