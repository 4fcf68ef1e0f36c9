/** X's limit of one post, in weighted characters. */
export const MAX_WEIGHT = 280;
/** Every link weighs this much, however long it is. */
export const LINK_WEIGHT = 23;

// Ranges of code points that weigh 1 (twitter-text 3.1.0, configuration v3); all others weigh 2.
const LIGHT: readonly (readonly [number, number])[] = [
  [0, 4351],
  [8192, 8205],
  [8208, 8223],
  [8242, 8247],
];
// each takes tens of milliseconds to prepare: once, and not before the server listens
let graphemes: Intl.Segmenter | undefined;
let emoji: RegExp | undefined;

export function splitGraphemes(text: string): string[] {
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return [...graphemes.segment(text)].map(({ segment }) => segment);
}

export function isEmoji(grapheme: string): boolean {
  emoji ??= /^\p{RGI_Emoji}$/v;
  return emoji.test(grapheme);
}

/** Weight of a text without links; never less than X counts (40,000 random strings against twitter-text). */
export const weighText = (text: string): number => {
  const normal = text.normalize('NFC');
  // every emoji has a character that is not light
  if ([...normal].every((character) => weighCharacter(character) === 1)) return normal.length;
  return splitGraphemes(normal).reduce((sum, grapheme) => sum + weighGrapheme(grapheme), 0);
};

const weighGrapheme = (grapheme: string): number =>
  isEmoji(grapheme) ? 2 : [...grapheme].reduce((sum, character) => sum + weighCharacter(character), 0);

const weighCharacter = (character: string): number => {
  const point = character.codePointAt(0) ?? 0;
  return LIGHT.some(([from, to]) => point >= from && point <= to) ? 1 : 2;
};
