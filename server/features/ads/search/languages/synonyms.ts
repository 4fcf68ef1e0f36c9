/** Words or phrases that mean one thing. One-way: who types the first also finds the others, but not the reverse. */
export interface SynonymGroup {
  words: readonly string[];
  isOneWay: boolean;
}

export interface Synonyms {
  /** What a typed word or phrase also finds, as the groups have it. */
  find(phrase: string): readonly string[];
  /** Those of them that only a narrower word finds: a balance bike is a kid's bike, which is a bike. */
  findFar(phrase: string): readonly string[];
  /** The right spelling of a word that people often misspell. */
  spellRight(word: string): string | undefined;
  /** All words of the groups, without misspellings. */
  words: ReadonlySet<string>;
}

/** A line of a language: 'a, b, c' or 'a > b, c'. */
export const parseGroup = (line: string): SynonymGroup => ({
  words: line.split(/, | > /),
  isOneWay: line.includes(' > '),
});

/** The groups without the words that are in `folded`. Nothing is left of a one-way group without its first word. */
export const withoutWords = (
  groups: readonly SynonymGroup[],
  folded: ReadonlySet<string>,
  fold: (text: string) => string,
): SynonymGroup[] => {
  const isKept = (word: string) => !folded.has(fold(word));
  if (folded.size === 0) return [...groups];
  return groups
    .filter(({ words, isOneWay }) => !isOneWay || isKept(words[0]!))
    .map((group) => ({ ...group, words: group.words.filter(isKept) }));
};

/** More words would slow searches down. */
const MOST_FOUND = 60;

/**
 * Texts that `fold` makes equal are one word. A word also finds what is narrower than a word that means the same. One that no
 * group has finds what a word with the same stem does: "bikes" what "bike" finds.
 */
export const buildSynonyms = (
  groups: readonly SynonymGroup[],
  fold: (text: string) => string,
  stem: (folded: string) => string = (folded) => folded,
  misspellings: readonly SynonymGroup[] = [],
): Synonyms => {
  const same = new Map<string, Map<string, string>>();
  const narrower = new Map<string, Map<string, string>>();
  for (const { words, isOneWay } of [...groups, ...misspellings]) {
    const folded = words.map((word) => [fold(word), word] as const);
    const index = isOneWay ? narrower : same;
    for (const [key] of isOneWay ? folded.slice(0, 1) : folded) {
      const found = index.get(key) ?? new Map<string, string>();
      for (const [to, word] of folded) found.set(to, word);
      index.set(key, found);
    }
  }
  const stems = new Map([...narrower.keys(), ...same.keys()].map((key) => [stem(key), key]));
  const words = new Set(groups.flatMap((group) => group.words.flatMap((word) => word.split(' '))));
  const known = new Set([...words].map(fold));
  const right = new Map(
    misspellings.flatMap(({ words: [first, ...wrong] }) => wrong.map((word) => [fold(word), first!] as const)),
  );
  const findAll = (phrase: string): { near: Map<string, string>; far: Map<string, string> } => {
    const typed = fold(phrase);
    const key = same.has(typed) || narrower.has(typed) ? typed : (stems.get(stem(typed)) ?? typed);
    const near = new Map(same.get(key));
    const equal = new Set([key, ...near.keys()]);
    for (const each of equal) for (const [to, word] of narrower.get(each) ?? []) near.set(to, word);
    // what means the same as a narrower word or is narrower than it is narrower, too; the nearest come first
    const found = new Map(near);
    for (const each of found.keys())
      for (const [to, word] of equal.has(each) ? [] : [...(same.get(each) ?? []), ...(narrower.get(each) ?? [])])
        if (found.size < MOST_FOUND) found.set(to, word);
    near.delete(typed);
    return { near, far: new Map([...found].filter(([to]) => to !== typed && !near.has(to))) };
  };
  return {
    words,
    spellRight: (word) => (known.has(fold(word)) ? undefined : right.get(fold(word))),
    find: (phrase) => {
      const { near, far } = findAll(phrase);
      return [...near.values(), ...far.values()];
    },
    findFar: (phrase) => [...findAll(phrase).far.values()],
  };
};
