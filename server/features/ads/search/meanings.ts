import { type AppContext, perProcess } from '../../../app-context.ts';
import { listNamesIn } from '../../categories/names.ts';
import { listCategories } from '../../categories/repository.ts';
import { LANGUAGES } from './languages/index.ts';
import { parseGroup, type Synonyms } from './languages/synonyms.ts';
import { lexiconOf } from './lexicon.ts';
import { mergeSynonyms } from './merge-synonyms.ts';
import { listSynonyms } from './synonyms-repository.ts';
import type { Grammar } from './words/grammar.ts';
import { listWords } from './words/index-words.ts';
import { foldPhrase } from './words/read-search.ts';
import { listKnown } from './words/runs.ts';
import { splitUnits } from './words/split.ts';
import { lookUpWords } from './words-repository.ts';

/** What words mean, apart from the ads. */
export interface Meanings {
  synonyms: Synonyms;
  /** Words of names, with their stems. */
  categories: readonly { id: number; words: ReadonlySet<string> }[];
}

/** A phrase without stop words, unless it has no others, and with a for ae: "chest drawers" for "chest of drawers". */
const toKey = (text: string, { stopWords, hasCompounds }: Grammar): string => {
  const words = foldPhrase(text).split(' ');
  const wanted = words.filter((word) => !stopWords.has(word));
  const key = (wanted.length > 0 ? wanted : words).join(' ');
  return hasCompounds ? key.replaceAll(/([aou])e/g, '$1') : key;
};

/** Made again only when the operators' groups have changed: it takes long. */
const synonymsOf = perProcess((ctx: AppContext) => {
  const { config, db } = ctx;
  const { grammar, stemmer } = lexiconOf(ctx);
  const fold = (text: string) => toKey(text, grammar);
  const stemOf = (word: string) => stemmer.of(word).toSorted((a, b) => a.length - b.length)[0] ?? word;
  const stem = (phrase: string) => phrase.split(' ').map(stemOf).join(' ');
  const builtIn = config.searchLanguages.flatMap((code) =>
    (LANGUAGES[code]?.synonyms ?? []).flatMap((line) => parseGroup(line).words),
  );
  let last: { rows: string; synonyms: Synonyms } | undefined;
  return async () => {
    const groups = await listSynonyms(db);
    const rows = JSON.stringify(groups);
    if (last?.rows === rows) return last.synonyms;
    const words = [...builtIn, ...groups.flatMap((group) => group.words)];
    await stemmer.learn(
      db,
      words.flatMap((word) => fold(word).split(' ')),
    );
    const synonyms = mergeSynonyms(config.searchLanguages, groups, fold, stem);
    last = { rows, synonyms: { ...synonyms, words: new Set([...synonyms.words].map(foldPhrase)) } };
    return last.synonyms;
  };
});

const listNameWords = (name: string, { runWords }: Grammar): string[] => {
  const units = splitUnits(name);
  const known = units.flatMap(({ isRun, spellings }) => (isRun ? listKnown(spellings[0]!, runWords) : []));
  return [...listWords(units, true), ...known];
};

const MAX_AGE_MS = 10_000;

const read = async (ctx: AppContext): Promise<Meanings> => {
  const { grammar, stemmer } = lexiconOf(ctx);
  const rows = await listCategories(ctx.db);
  const names = await listNamesIn(ctx.db, rows, ctx.config.locales);
  const listOwn = (id: number) => (names.get(id) ?? []).flatMap((name) => listNameWords(name, grammar));
  const categories = rows.map(({ id }) => ({
    id,
    words: [...new Set(listOwn(id))].filter((word) => !grammar.stopWords.has(word)),
  }));
  const { words } = await lookUpWords(
    ctx.db,
    { words: [...new Set(categories.flatMap((category) => category.words))], ends: [], beginning: '' },
    stemmer,
  );
  return {
    synonyms: await synonymsOf(ctx)(),
    categories: categories.map(({ id, words: own }) => ({
      id,
      words: new Set(own.flatMap((word) => [word, ...(words.get(word)?.stems ?? [])])),
    })),
  };
};

const cacheOf = perProcess(() => ({ until: 0, meanings: undefined as Promise<Meanings> | undefined }));

/** At most ten seconds old. */
export const readMeanings = (ctx: Pick<AppContext, 'root'>): Promise<Meanings> => {
  const cache = cacheOf(ctx);
  if (cache.meanings === undefined || Date.now() >= cache.until) {
    const meanings = read(ctx.root);
    meanings.catch(() => {
      if (cache.meanings === meanings) cache.meanings = undefined;
    });
    Object.assign(cache, { meanings, until: Date.now() + MAX_AGE_MS });
  }
  return cache.meanings!;
};
