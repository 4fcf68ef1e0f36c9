import { cleanText } from '../../../../../contract/text.ts';
import { listSpellings } from './fold.ts';
import { measure } from './measures.ts';

/** How a unit follows the one before it: directly, behind a hyphen or the like, behind a blank, or apart. */
export type Gap = 'none' | 'hyphen' | 'blank' | 'apart';

/** A run of letters and digits of one text, as it stands there. */
export interface Unit {
  gap: Gap;
  /** Of a script without spaces, such as Japanese or Thai: one run of several words. */
  isRun: boolean;
  isEmoji: boolean;
  /** The whole: folded, and with ae for ä. For a run: the folded run, and the one with its last long-vowel mark. */
  spellings: string[];
  /** As it stands there, in small letters. */
  written: string;
  /** Where letters and digits, or small and capital letters, meet: the parts; else empty. */
  parts: { spellings: string[]; written: string; isNumber: boolean }[];
  /** What an apostrophe leaves of it: "levi" of "levi's", "armoire" of "l'armoire"; "3" of "3.0". */
  bare: string[];
  /**
   * What finds an ad that has it, and is not what its searcher means: "5" and "9" of "5.9"; "55inch" of 55", which may
   * be a number in quotation marks.
   */
  others: string[];
}

export const MAX_WORD = 60;
/** Texts of more units are cut: an ad has at most 1,000 characters. */
const MAX_UNITS = 2000;

const APOSTROPHES = /['‘’‛ʹʻʼʽ′`´＇׳״]/gu;
/** Format characters, and letters that show nothing. */
const INVISIBLE = /[\p{Cf}\u115F\u1160\u3164\uFFA0]/gu;
const PICTURE = String.raw`[[\p{Extended_Pictographic}&&\p{S}]--[©®™]][\uFE0F\u{1F3FB}-\u{1F3FF}]*`;
const EMOJI = String.raw`\p{RI}\p{RI}|${PICTURE}(?:\u200D${PICTURE})*`;
const IN_WORD = String.raw`[\p{L}\p{M}\p{N}]`;
/** Between two numbers, and no others: 5.5 is not 55. Dates and addresses of computers have more of them. */
const DECIMAL = String.raw`[.,٫](?<=(?<!\p{Nd}|\p{Nd}[.,٫])\p{Nd}{1,6}.)(?=\p{Nd}{1,6}(?!\p{Nd}|[.,٫]\p{Nd}))`;
const UNIT = new RegExp(String.raw`(?<emoji>${EMOJI})|[\p{L}\p{N}](?:${IN_WORD}|'(?=\p{L})|${DECIMAL})*`, 'gv');
const EMOJI_ONLY = new RegExp(EMOJI, 'gv');

const SPACELESS = String.raw`\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}`;
const RUNS = new RegExp(String.raw`(?<run>[${SPACELESS}][${SPACELESS}\p{M}]*)|[^${SPACELESS}]+`, 'gv');
/** At the end of a Katakana word of at least two letters. */
const LONG_VOWEL = /(?<=[\p{sc=Kana}ー]\p{sc=Kana})ー+(?![\p{sc=Kana}ー])/gu;
export const HAN = /\p{sc=Hani}/u;

const PARTS = /(?<=[\p{Ll}\p{M}])(?=\p{Lu})|(?<=\p{N})(?=[\p{L}])|(?<=[\p{L}\p{M}])(?=\p{N})/u;
const HYPHENS = /^[-‐‑‒–_./·・~+&]$/u;
/** Behind a number. */
const INCHES = /^(?:["“”„]|'')/u;
const BLANKS = /^[^\S\n]{1,3}$/u;

const cut = (word: string): string => {
  if (word.length <= MAX_WORD) return word;
  const short = word.slice(0, MAX_WORD);
  return short.isWellFormed() ? short : short.slice(0, -1);
};

const THOUSANDS = /(?<!\p{N})([1-9]\p{N}{0,2})\.(\p{N}{3})(?!\p{N})/gu;

const spell = (raw: string): string[] => {
  const words = listSpellings(raw.replaceAll("'", '').replace(/[,٫]/gu, '.'));
  const whole = words.map((word) => word.replace(THOUSANDS, '$1$2'));
  return [...new Set([...words, ...whole])].map(cut).filter(Boolean);
};

const toGap = (gap: string): Gap => {
  // "kids' bike"
  const between = gap.replace(/^'(?=\s)/u, '');
  if (between === '') return 'none';
  if (BLANKS.test(between)) return 'blank';
  return HYPHENS.test(between) ? 'hyphen' : 'apart';
};

/** Elisions ("l'", "d'"), the English genitive, and the whole of "3.0". */
const listBare = (raw: string, word: string): string[] => {
  const whole = /^(\d+)\.0{1,2}$/.exec(word);
  if (whole) return [whole[1]!];
  const pieces = raw.split("'");
  if (pieces.length !== 2) return [];
  const [before, after] = pieces as [string, string];
  if (/^s$/iu.test(after)) return spell(before);
  return before.length <= 2 && after.length > 2 ? spell(after) : [];
};

const toWord = (raw: string, gap: Gap): Unit => {
  const parts = raw
    .replaceAll("'", '')
    .split(PARTS)
    .map((part) => ({ spellings: spell(part), written: part.toLowerCase(), isNumber: /^\p{N}/u.test(part) }))
    .filter(({ spellings }) => spellings.length > 0);
  const spellings = spell(raw);
  const [word = ''] = spellings;
  return {
    gap,
    isRun: false,
    isEmoji: false,
    spellings,
    written: raw.toLowerCase(),
    parts: parts.length > 1 ? parts : [],
    bare: listBare(raw, word),
    others: word.includes('.') ? word.match(/\d+/g)! : [],
  };
};

const toRun = (raw: string, gap: Gap): Unit => {
  const [folded = ''] = listSpellings(raw);
  const short = folded.replace(LONG_VOWEL, '');
  return {
    gap,
    isRun: true,
    isEmoji: false,
    spellings: [...new Set([short, folded])],
    written: raw,
    parts: [],
    bare: [],
    others: [],
  };
};

const toEmoji = (raw: string, gap: Gap): Unit => ({
  gap,
  isRun: false,
  isEmoji: true,
  spellings: [cut(raw.replaceAll('\uFE0F', ''))],
  written: raw,
  parts: [],
  bare: [],
  others: [],
});

/** Format characters disappear, but not inside of an emoji. */
const dropFormats = (text: string): string => {
  let kept = '';
  let end = 0;
  for (const { 0: emoji, index } of text.matchAll(EMOJI_ONLY)) {
    kept += text.slice(end, index).replace(INVISIBLE, '') + emoji;
    end = index + emoji.length;
  }
  return kept + text.slice(end).replace(INVISIBLE, '');
};

/** The units of any text. Linear; knows no hosts or paths, and of numbers their decimal sign. */
export const splitUnits = (text: string): Unit[] => {
  const plain = dropFormats(cleanText(text, true).replace(APOSTROPHES, "'"))
    .normalize('NFKC')
    .replace(APOSTROPHES, "'");
  const units: Unit[] = [];
  let end = 0;
  for (const match of plain.matchAll(UNIT)) {
    if (units.length >= MAX_UNITS) break;
    const { 0: whole, index, groups } = match;
    const gap = units.length === 0 ? 'apart' : toGap(plain.slice(end, index));
    end = index + whole.length;
    const isInches = INCHES.test(plain.slice(end, end + 2));
    if (groups?.emoji !== undefined) {
      units.push(toEmoji(whole, gap));
      continue;
    }
    let runGap = gap;
    for (const { 0: raw, groups: script } of whole.matchAll(RUNS)) {
      const unit = script?.run === undefined ? toWord(raw, runGap) : toRun(raw, runGap);
      if (isInches) unit.others.push(...measure(unit.spellings[0] ?? '', 'inch'));
      if (unit.spellings.some((spelling) => spelling !== '')) units.push(unit);
      runGap = 'none';
    }
  }
  return units;
};

/** Pairs of neighbours of a run; the run itself if it is one character. */
export const listPairs = (run: string): string[] => {
  const characters = [...run];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
};

/** Each Han character of a run, which is a word by itself. */
export const listHan = (run: string): string[] => [...run].filter((character) => HAN.test(character));
