import { HAN, listPairs } from './split.ts';

/** Words that are known in scripts without spaces. */
export interface RunWords {
  /** Without their last long-vowel mark, and as they are written. */
  words: ReadonlyMap<string, string>;
  /** Characters of the longest one. */
  longest: number;
  /** Words that are no kind of what their last part says: クロスバイク is no バイク. */
  otherKinds: ReadonlySet<string>;
}

/** A piece of a run. */
export interface Piece {
  text: string;
  isKnown: boolean;
}

/** Before a known word: a lexeme for the whole of it. Its pairs are words, too. */
const WHOLE = ':';

export const markWhole = (word: string): string => WHOLE + word;
export const unmark = (lexeme: string): string => lexeme.slice(WHOLE.length);

/** What stands for a word where ads are only found, not ranked: ads that were indexed before have no whole words. */
export const spellOut = (word: string): string[] => (word.startsWith(WHOLE) ? listPairs(unmark(word)) : [word]);

/** Between a thing and what belongs to it: ソファのカバー. */
const GENITIVES = ['の', '的'];

export const isGenitive = ({ text, isKnown }: Piece): boolean => !isKnown && GENITIVES.includes(text);

const KATAKANA = /^[\p{sc=Kana}ー]+$/u;
const HIRAGANA = /^\p{sc=Hira}+$/u;

/** A letter alone is no word, a Han character is. */
export const canStandAlone = (text: string): boolean => [...text].length > 1 || HAN.test(text);

const isOneScript = (text: string): boolean => KATAKANA.test(text) || HIRAGANA.test(text);

const UNKNOWN = 100;

/** The best way to cut what begins at each place: the fewest unknown characters, then the fewest words. */
const cutAll = (characters: readonly string[], { words, longest }: RunWords): Piece[] => {
  const ways = [{ cost: 0, end: 0, isKnown: false }];
  for (let from = characters.length - 1; from >= 0; from--) {
    const next = ways[characters.length - from - 1]!;
    let way = { cost: next.cost + UNKNOWN, end: from + 1, isKnown: false };
    let text = '';
    for (let end = from + 1; end <= Math.min(characters.length, from + longest); end++) {
      text += characters[end - 1]!;
      // one character is a word at the end only: 車 of 中古車, not of 車検
      if (!words.has(text) || (end - from === 1 && end < characters.length)) continue;
      const after = KATAKANA.test(text) && characters[end] === 'ー' ? end + 1 : end;
      const cost = ways[characters.length - after]!.cost + 1;
      if (cost <= way.cost) way = { cost, end: after, isKnown: true };
    }
    ways.push(way);
  }
  const pieces: Piece[] = [];
  for (let from = 0; from < characters.length; ) {
    const { end, isKnown } = ways[characters.length - from]!;
    const text = characters.slice(from, end).join('');
    const last = pieces.at(-1);
    if (last && !last.isKnown && !isKnown) last.text += text;
    else pieces.push({ text: isKnown && !words.has(text) ? text.replace(/ー$/u, '') : text, isKnown });
    from = end;
  }
  return pieces;
};

/**
 * Cuts a run into known words and what is between them. A letter that is left over belongs to the word beside it, which is
 * another one then: カバン is no カバ. Linear in the length of the run.
 */
export const cutRun = (run: string, runWords: RunWords): Piece[] => {
  const joined: Piece[] = [];
  for (const piece of cutAll([...run], runWords)) {
    const last = joined.at(-1);
    const isLeftOver = (one: Piece) => !one.isKnown && !canStandAlone(one.text) && !isGenitive(one);
    const areOne = last !== undefined && (isLeftOver(last) || isLeftOver(piece)) && isOneScript(last.text + piece.text);
    if (areOne) joined.splice(-1, 1, { text: last.text + piece.text, isKnown: false });
    else joined.push(piece);
  }
  return joined;
};

/** Known words that a known word begins or ends with. */
const listParts = (word: string, { words }: RunWords): { starts: string[]; ends: string[] } => {
  const characters = [...word];
  const cuts = characters.slice(1).map((_, i) => ({
    before: characters.slice(0, i + 1).join(''),
    after: characters.slice(i + 1).join(''),
  }));
  const whole = cuts.filter(({ before, after }) => canStandAlone(before) && canStandAlone(after));
  return {
    starts: whole.map(({ before }) => before).filter((start) => words.has(start)),
    ends: whole.map(({ after }) => after).filter((end) => words.has(end)),
  };
};

/**
 * What a known word names: itself and the kinds of thing that its last parts say, up to one that is another kind; and what
 * else is in it.
 */
export const readKnown = (word: string, runWords: RunWords): { names: string[]; others: string[] } => {
  const { starts, ends } = listParts(word, runWords);
  const kinds = [word, ...ends];
  const last = kinds.findIndex((kind) => runWords.otherKinds.has(kind));
  const names = last === -1 ? kinds : kinds.slice(0, last + 1);
  return { names, others: [...starts, ...kinds.slice(names.length)] };
};

/** Lexemes of the known words of a run, and of those that they consist of. */
export const listKnown = (run: string, runWords: RunWords): string[] =>
  cutRun(run, runWords)
    .filter(({ isKnown }) => isKnown)
    .flatMap(({ text }) => {
      const { names, others } = readKnown(text, runWords);
      return [...names, ...others].map(markWhole);
    });

/** The same without what else is in them. */
export const listNames = (run: string, runWords: RunWords): string[] =>
  cutRun(run, runWords)
    .filter(({ isKnown }) => isKnown)
    .flatMap(({ text }) => readKnown(text, runWords).names.map(markWhole));
