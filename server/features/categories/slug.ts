const MAX_SLUG = 50;

// Latin letters that Unicode does not decompose into a plain letter and a mark.
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ŋ: 'ng',
  ŧ: 't',
  ĸ: 'k',
  ƒ: 'f',
  ə: 'e',
  ɛ: 'e',
  ɔ: 'o',
  ŀ: 'l',
  ɓ: 'b',
  ɗ: 'd',
  ƙ: 'k',
  ƴ: 'y',
  ɖ: 'd',
  ɣ: 'g',
  ʋ: 'v',
  ɩ: 'i',
  ʊ: 'u',
  ǝ: 'e',
  ƿ: 'w',
  ȝ: 'y',
  ꞌ: '',
  ʻ: '',
  ʼ: '',
};

/** A slug for a name in Latin letters; empty if the name has any other letter. */
export const toSlug = (name: string): string => {
  const latin = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]/gu, (letter) => LETTERS[letter] ?? letter);
  if (/[^a-z0-9\P{L}]/u.test(latin)) return '';
  const words = latin.match(/[a-z0-9]+/g) ?? [];
  return words.reduce((slug, word) => (`${slug}-${word}`.length <= MAX_SLUG ? `${slug}-${word}` : slug), '').slice(1);
};
