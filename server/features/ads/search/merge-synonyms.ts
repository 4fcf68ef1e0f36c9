import { LANGUAGES } from './languages/index.ts';
import { buildSynonyms, parseGroup, type Synonyms, withoutWords } from './languages/synonyms.ts';
import type { SynonymRow } from './synonyms-repository.ts';

/** The built-in groups of these languages and the operators': a word that one of theirs has is in no built-in group. */
export const mergeSynonyms = (
  languages: readonly string[],
  rows: readonly Pick<SynonymRow, 'words' | 'language' | 'is_one_way'>[],
  fold: (text: string) => string,
  stem?: (folded: string) => string,
): Synonyms => {
  const own = rows.filter(({ language }) => language === null || languages.includes(language));
  const listBuiltIn = (field: 'synonyms' | 'misspellings') =>
    languages.flatMap((code) => {
      const theirs = own.filter(({ language }) => language === null || language === code);
      const taken = new Set(theirs.flatMap(({ words }) => words.map(fold)));
      return withoutWords((LANGUAGES[code]?.[field] ?? []).map(parseGroup), taken, fold);
    });
  const groups = [...listBuiltIn('synonyms'), ...own.map((row) => ({ words: row.words, isOneWay: row.is_one_way }))];
  return buildSynonyms(groups, fold, stem, listBuiltIn('misspellings'));
};
