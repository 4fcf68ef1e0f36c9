/** Letters that Unicode does not decompose, and forms of one letter that mean the same to people. */
// biome-ignore format: one line a script
const LETTERS: Record<string, string> = {
  ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ħ: 'h', ł: 'l', ŧ: 't', ı: 'i', ς: 'σ',
  ٱ: 'ا', ة: 'ه', ى: 'ي', ی: 'ي', ک: 'ك', ہ: 'ه',
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/** How Germans write these letters on a keyboard that lacks them. */
const EXPANDED: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };
const EXPANDABLE = /[äöüøå]/g;

/** Accents, niqqud, harakat, hamza, tatweel and nukta. Marks that are vowels of a script stay. */
const ACCENTS =
  /[\u0300-\u036F\u0483-\u0487\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u0640\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7\u06E8\u06EA-\u06ED\u093C\u09BC\u0A3C\u0ABC\u0B3C]|[\uFE00-\uFE0F]/g;

const DIGIT = /\p{Nd}/u;
const OTHER_DIGIT = /[^\P{Nd}0-9]/gu;

/** The value of a digit of any script: digits of a script follow one another, from zero on. */
const toAscii = (digit: string): string => {
  const code = digit.codePointAt(0)!;
  let zeros = code;
  while (DIGIT.test(String.fromCodePoint(zeros - 1))) zeros--;
  return String((code - zeros) % 10);
};

// most words of most markets: all that follows would leave them as they are
const ASCII = /^[\0-\x7F]*$/;

/** Without case, accents and forms of letters and digits. Linear; a second time changes nothing. */
export const foldText = (text: string): string => {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .replace(LETTER, (letter) => LETTERS[letter]!)
    .replace(OTHER_DIGIT, toAscii);
};

/** The folded word, and the one with ae for ä if that differs. */
export const listSpellings = (word: string): string[] => {
  if (ASCII.test(word)) return [word.toLowerCase()];
  const lower = word.normalize('NFC').toLowerCase();
  const folded = foldText(lower);
  const expanded = foldText(lower.replace(EXPANDABLE, (letter) => EXPANDED[letter]!));
  return folded === expanded ? [folded] : [folded, expanded];
};
