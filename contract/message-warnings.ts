/** A rule that a received message is checked against. `text` is in lower case, with one space between words. */
interface WarningRule {
  name: 'link' | 'email' | 'phone' | 'code' | 'gift card' | 'wire transfer' | 'courier';
  patterns: readonly RegExp[];
}

const TLD =
  'com|net|org|info|biz|io|co|me|ly|app|shop|store|online|site|xyz|top|club|link|click|live|ru|cn|uk|us|ca|au|de|fr|nl|it|es|pl|ch|at|be|eu|in|br|to|cc|tv|gg|page|dev';

const LINK = new RegExp(
  `\\bhttps?://([^\\s/?#]+)|\\bwww\\.([^\\s/?#]+)|(?<![@\\w.-])((?:[a-z0-9-]+\\.)+(?:${TLD}))(?![\\w@-]|\\.\\w)`,
  'gu',
);

const NUMBER_WORD = '(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|double|triple)';

const RULES: readonly WarningRule[] = [
  {
    name: 'email',
    patterns: [
      // a name matches from its first character only: otherwise the time would grow with the square of the length
      /(?<![^\s@<>()])[^\s@<>()]+@[^\s@<>()]+\.[a-z]{2,}/u,
      /(?<![a-z0-9._-])[a-z0-9._-]+\s?[([{]\s?at\s?[)\]}]\s?[a-z0-9-]+\s?(?:\.|[([{]?\s?dot\s?[)\]}]?)\s?[a-z]{2,}/u,
      /(?<![a-z0-9._-])[a-z0-9._-]+ (?:at|@) (?:gmail|yahoo|hotmail|outlook|icloud|proton(?:mail)?|gmx|aol)\b/u,
    ],
  },
  {
    name: 'phone',
    patterns: [
      // international: +49 171 2345678, 0044 20 7946 0958
      /(?<![\w+])(?:\+|00)[1-9](?:[ .\-/()]{0,2}\d){7,13}(?!\d)/u,
      // North American: (503) 555-0199, 503.555.0199, 1-503-555-0199, 5035550199
      /(?<![\w.,+$€£-])(?:1[ .-]?)?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[ .-]?)[2-9]\d{2}[ .-]?\d{4}(?![\w-])/u,
      // national with a leading zero: 0171 2345678, 020 7946 0958
      /(?<![\w.,+-])0[1-9]\d{0,4}(?:[ .\-/]?\d){6,9}(?![\w-])/u,
      // any seven digits or more after an invitation to call
      /\b(?:call|text|ring|phone|whats ?app|telegram|signal|viber|tel|mobile|my number(?: is)?)\b[^\d+]{0,16}\+?\d(?:[ .\-/()]{0,2}\d){6,14}/u,
      new RegExp(`(?:\\b${NUMBER_WORD}\\b[ ,-]*){7,}`, 'u'),
    ],
  },
  {
    name: 'code',
    patterns: [
      /\b(?:verification|confirmation|security|authenti\w+|one[- ]time|sms|login|sign[- ]?in) (?:code|pin|password|number)\b/u,
      /\b(?:four|five|six|4|5|6)[- ]?digits? (?:code|pin|number)\b/u,
      /\b(?:otp|2fa code|code (?:that )?(?:i|we|they|google|x|twitter|paypal) (?:just )?(?:sent|texted|send|text))\b/u,
      /\b(?:send|tell|give|read|text|forward)(?: me| us)? (?:back )?the (?:code|pin)\b/u,
    ],
  },
  {
    name: 'gift card',
    patterns: [/\b(?:gift|itunes|steam|amazon|google play|apple|prepaid|vanilla)[- ](?:gift )?(?:card|voucher)s?\b/u],
  },
  {
    name: 'wire transfer',
    patterns: [
      /\bwir(?:e|ing) (?:transfer|the (?:money|payment|funds|deposit|amount)|(?:you|me) the|money|funds)/u,
      /\b(?:western union|money ?gram|hawala|swift transfer|bank wire|telegraphic transfer)\b/u,
    ],
  },
  {
    name: 'courier',
    patterns: [
      /\bcouriers?\b/u,
      /\b(?:my|the|our|a|private) (?:shipping|moving|pick ?-?up|delivery|transport|freight) (?:agent|agents|company|service|driver|men)\b/u,
      /\b(?:mover|movers|driver|agent) (?:will|can|to) (?:come |be there )?(?:and |to )?(?:pick|collect)/u,
    ],
  },
];

// Dates would pass for phone numbers.
const DATE = /(?<![\d.])(?:\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2})|\d{4}-\d{2}-\d{2})(?![\d.]\d)/gu;

const normalize = (content: string): string =>
  content.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').replace(DATE, ' ');

const toHost = (address: string): string =>
  address
    .slice(address.lastIndexOf('@') + 1)
    .replace(/:\d{1,5}$/u, '')
    .replace(/(?<![.,;:!?)\]])[.,;:!?)\]]+$/u, '')
    .replace(/^www\./u, '');

const hasForeignLink = (text: string, ownHost: string): boolean =>
  [...text.matchAll(LINK)].some(
    ([, url, www, bare]) => toHost(url ?? www ?? bare ?? '') !== ownHost.replace(/^www\./u, ''),
  );

/**
 * What a received message should be read with care for: a link to another host, an e-mail address, a phone number, or
 * words of common frauds. Null if there is none. `ownHost` is the host name of this marketplace.
 */
export function findWarning(content: string, ownHost: string): WarningRule['name'] | null {
  const text = normalize(content);
  const rule = RULES.find(({ patterns }) => patterns.some((pattern) => pattern.test(text)));
  return rule?.name ?? (hasForeignLink(text, ownHost) ? 'link' : null);
}
