import { speaking, type TextKey, t } from '../../../contract/i18n.ts';
import type { PriceType } from '../../../contract/prices.ts';
import { PRICE_RULES, toAmountText, toPriceText } from '../../../contract/prices.ts';
import { splitGraphemes } from '../../../contract/text.ts';
import type { Config } from '../../config/load.ts';
import { readTextsOf } from '../../lib/catalogs.ts';

export type PostKind = 'ad' | 'favorite';

interface Described {
  title: string;
  price: string;
  priceType: PriceType;
}

const toKey = (kind: PostKind, { priceType }: Described): TextKey => {
  if (kind === 'favorite') return 'xPost.saved';
  return PRICE_RULES[priceType].isForSale ? 'xPost.forSale' : 'xPost.wanted';
};

/** Stands for the title, of which as much is said as there is room for. No text contains it. */
const TITLE = '\0';

/** What the post says before and after the title. */
const getFrame = (kind: PostKind, ad: Described): [lead: string, tail: string] => {
  const key = toKey(kind, ad);
  const price = key === 'xPost.wanted' ? toAmountText(ad) : toPriceText(ad);
  const [lead = '', tail = ''] = t(key, { title: TITLE, price }).split(TITLE);
  return [lead, tail];
};
export const NO_ID = '…';

export const adUrl = (publicUrl: string, adId: string): string => `${publicUrl}/ads/${adId}`;

/**
 * The text of a post: a line with title and price, and the ad's link on the next. Preview, queue and X's composer all
 * use it. It mentions, tags and links to nothing but the ad, and fits X's limit.
 */
export const buildPostText = (kind: PostKind, ad: Described, link: string): string => {
  const [lead, tail] = getFrame(kind, ad);
  const room = MAX_WEIGHT - LINK_WEIGHT - getTextWeight(`${lead}${tail}\n`);
  return `${lead}${cutToWeight(neutralize(ad.title), room)}${tail}\n${link}`;
};

/** The text of a post about this ad, in the language of the marketplace. */
export const buildPost = (
  config: Pick<Config, 'publicUrl' | 'locales' | 'timeZone'>,
  kind: PostKind,
  ad: Described & { id: string },
): string => speaking(readTextsOf(null, config), () => buildPostText(kind, ad, adUrl(config.publicUrl, ad.id)));

/** X's composer with this text. The link is part of the text, so that nothing differs from an automatic post. */
export const buildIntentUrl = (webUrl: string, text: string): string =>
  `${webUrl}/intent/tweet?${new URLSearchParams({ text })}`;

const INVISIBLE = /[[\p{Cc}\p{Cf}\p{Co}]--[\u200C\u200D]]/gv;

const withoutInvisible = (text: string): string =>
  text.search(INVISIBLE) < 0
    ? text
    : splitGraphemes(text)
        .map((grapheme) => (isEmoji(grapheme) ? grapheme : grapheme.replace(INVISIBLE, '')))
        .join('');

/**
 * Removes from a title what X would act on: sigils of mentions, hashtags and cashtags (full-width ones too), text that
 * X takes for a link ("ASP.NET"), direction overrides and other invisible characters, except inside emoji and the
 * joiners that some scripts need.
 */
export const neutralize = (title: string): string =>
  withoutInvisible(title.normalize('NFC').replace(/\s+/gu, ' '))
    .replace(/[@＠#＃]/gu, '')
    .replace(/(?<![$＄])[$＄]+(?=\p{L})/gu, '')
    .replace(/:\/\//gu, ' ')
    .replace(/(?<=\S)[.。．｡](?=\p{L}[\p{L}\p{M}])/gu, '. ')
    .replace(/ {2,}/g, ' ')
    .trim() || '…';

const cutToWeight = (text: string, room: number): string => {
  if (getTextWeight(text) <= room) return text;
  let kept = '';
  for (const grapheme of splitGraphemes(text)) {
    if (getTextWeight(`${kept}${grapheme}…`) > room) break;
    kept += grapheme;
  }
  return `${kept.trimEnd()}…`;
};

export const MAX_WEIGHT = 280;
export const LINK_WEIGHT = 23;

// Ranges of code points that weigh 1 (twitter-text 3.1.0, configuration v3); all others weigh 2.
const LIGHT: readonly (readonly [number, number])[] = [
  [0, 4351],
  [8192, 8205],
  [8208, 8223],
  [8242, 8247],
];
// created on first use, because it takes long to prepare
let emoji: RegExp | undefined;

export function isEmoji(grapheme: string): boolean {
  emoji ??= /^\p{RGI_Emoji}$/v;
  return emoji.test(grapheme);
}

/** Weight of a text without links; never less than X's own count. */
export const getTextWeight = (text: string): number => {
  const normal = text.normalize('NFC');
  // every emoji contains a character of weight 2
  if ([...normal].every((character) => weighCharacter(character) === 1)) return normal.length;
  return splitGraphemes(normal).reduce((sum, grapheme) => sum + weighGrapheme(grapheme), 0);
};

const weighGrapheme = (grapheme: string): number =>
  isEmoji(grapheme) ? 2 : [...grapheme].reduce((sum, character) => sum + weighCharacter(character), 0);

const weighCharacter = (character: string): number => {
  const point = character.codePointAt(0) ?? 0;
  return LIGHT.some(([from, to]) => point >= from && point <= to) ? 1 : 2;
};
