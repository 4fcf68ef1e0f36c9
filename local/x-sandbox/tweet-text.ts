const URLS = /https?:\/\/[^\s]+|\b(?:[a-z0-9-]+\.)+(?:com|net|org|io|co|shop|app|dev|info|uk|de|eu)\b(?:\/[^\s]*)?/giu;
const LIGHT: readonly [number, number][] = [
  [0, 4351],
  [8192, 8205],
  [8208, 8223],
  [8242, 8247],
];
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

export const findUrls = (text: string): string[] => text.match(URLS) ?? [];

/**
 * X's weighted length: NFC, a link 23, an emoji 2, Latin and other light scripts 1, everything else 2.
 * Unlike X, links to localhost count as links too, so that development behaves as production.
 */
export const weigh = (text: string): number => {
  const rest = text.normalize('NFC').replace(URLS, '');
  let weight = findUrls(text).length * 23;
  for (const { segment } of graphemes.segment(rest)) {
    weight += /^\p{RGI_Emoji}$/v.test(segment) ? 2 : [...segment].reduce((sum, c) => sum + weighCharacter(c), 0);
  }
  return weight;
};

const weighCharacter = (character: string): number => {
  const point = character.codePointAt(0) ?? 0;
  return LIGHT.some(([from, to]) => point >= from && point <= to) ? 1 : 2;
};

export const countCashtags = (text: string): number => text.match(/(?<![\w$])\$[a-z]{1,6}\b/giu)?.length ?? 0;
