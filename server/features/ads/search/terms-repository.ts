import { setImmediate } from 'node:timers/promises';
import type { Details } from '../../../../contract/ads.ts';
import { ATTRIBUTES } from '../../../../contract/attributes.ts';
import { speaking, type Texts } from '../../../../contract/i18n.ts';
import type { Db, Trx } from '../../../db/pools.ts';
import type { AdValues } from '../repository.ts';
import type { Lexicon } from './lexicon.ts';
import type { Stemmer } from './stems-repository.ts';
import { FIELDS } from './words/compose.ts';
import { type AdTexts, type AdWords, readAd } from './words/index-words.ts';
import { addWords } from './words-repository.ts';

interface IndexedRow {
  id: string;
  title: string;
  description: string;
  category_id: number;
  slug: string;
  details: Details;
}

const LABELS = ['brand', 'model'];

/** A choice that says nothing of the thing. */
const OTHER = 'other';

/** A choice is a word in each language: a person in Berlin types "Automatik". */
const listChoice = (options: Readonly<Record<string, string>>, value: string, texts: readonly Texts[]): string[] =>
  value === OTHER ? [] : texts.map((one) => speaking(one, () => options[value] ?? value));

const toTexts = ({ title, description, category_id, slug, details }: IndexedRow, texts: readonly Texts[]): AdTexts => {
  const attributes = (ATTRIBUTES[slug] ?? []).filter(({ key }) => details[key] !== undefined);
  const listTexts = ({ key, options }: (typeof attributes)[number]): string[] =>
    options ? listChoice(options, String(details[key]), texts) : [String(details[key])];
  return {
    title,
    description,
    categoryId: category_id,
    details: attributes.filter(({ type }) => type !== 'number').flatMap(listTexts),
    labels: attributes.filter(({ jsonLd }) => LABELS.includes(jsonLd ?? '')).flatMap(listTexts),
  };
};

/** The lexemes of an ad. */
const listLexemes = ({ all, title, head, names, labels, marks }: AdWords, { of }: Stemmer): string[] => {
  const withStems = (words: readonly string[]) => words.flatMap((word) => [word, ...of(word)]);
  const lexemes = [
    ...withStems(all),
    ...title.map((word) => FIELDS.title + word),
    ...[...title.flatMap(of), ...withStems(names)].map((stem) => FIELDS.titleStem + stem),
    ...withStems(head).map((lexeme) => FIELDS.head + lexeme),
    ...withStems(labels).map((lexeme) => FIELDS.label + lexeme),
    ...marks,
  ];
  return [...new Set(lexemes)];
};

/** The lexemes of ads by their ids, as JSON. Adds their words to the table of words. */
const readAds = async (
  trx: Trx,
  { grammar, stemmer, texts }: Lexicon,
  rows: readonly IndexedRow[],
): Promise<string> => {
  const read: { id: string; words: AdWords }[] = [];
  for (const row of rows) {
    // requests go first: reading an ad takes a millisecond of this process
    await setImmediate();
    read.push({ id: row.id, words: readAd(toTexts(row, texts), grammar) });
  }
  await stemmer.learn(
    trx,
    read.flatMap(({ words }) => [...words.all, ...words.title, ...words.head, ...words.labels]),
  );
  await addWords(
    trx,
    read.flatMap(({ words }) => words.vocabulary),
  );
  return JSON.stringify(read.map(({ id, words }) => ({ id, lexemes: listLexemes(words, stemmer) })));
};

/** Of `a`, which are ads, and `read`. Terms contain the words of ads.tsv, too, which replicas of the previous release look up. */
const INSERT_TERMS = `insert into ad_terms (ad_id, rules, terms)
  select a.id, :rules, array_to_tsvector(read.lexemes) || strip(a.tsv)
  from jsonb_to_recordset(:read::jsonb) read (id bigint, lexemes text[])`;

/**
 * Makes the terms of these ads, and adds their words to the table of words. The ads are locked by the caller, so that the
 * terms are those of their present texts.
 */
export const indexAds = async (trx: Trx, lexicon: Lexicon, ids: readonly string[]): Promise<void> => {
  const { rows } = await trx.raw<{ rows: IndexedRow[] }>(
    `select a.id, title, description, category_id, slug, details from ads a join categories c on c.id = a.category_id
     where a.id = any(?::bigint[])`,
    [[...ids]],
  );
  const read = await readAds(trx, lexicon, rows);
  await trx.raw(
    `${INSERT_TERMS} join ads a on a.id = read.id order by a.id
     on conflict (ad_id) do update set rules = excluded.rules, terms = excluded.terms`,
    { rules: lexicon.rules, read },
  );
};

/** Inserts ads with their terms, in one statement: the index of words, which costs the most, takes each ad once. Returns their ids in order. */
export const insertIndexedAds = async (
  trx: Trx,
  lexicon: Lexicon,
  ads: readonly (AdValues & Pick<IndexedRow, 'title' | 'description' | 'category_id' | 'details'>)[],
): Promise<string[]> => {
  if (ads.length === 0) return [];
  const { rows: given } = await trx.raw<{ rows: { id: string }[] }>(
    "select nextval(pg_get_serial_sequence('ads', 'id')) as id from generate_series(1, ?)",
    [ads.length],
  );
  const categories = await trx('categories').select('id', 'slug');
  const slugs = new Map(categories.map(({ id, slug }) => [id, slug]));
  const numbered = ads.map((ad, at) => ({ ...ad, id: given[at]!.id }));
  const read = await readAds(
    trx,
    lexicon,
    numbered.map((ad) => ({ ...ad, slug: slugs.get(ad.category_id)! })),
  );
  const inserted = trx('ads').insert(numbered).returning(['id', 'tsv']);
  await trx.raw(`with a as (:inserted) ${INSERT_TERMS} join a on a.id = read.id`, {
    inserted: inserted as never,
    rules: lexicon.rules,
    read,
  });
  return numbered.map(({ id }) => id);
};

/** Locks up to `limit` ads below `before` whose terms were made by other rules, the newest first. Skips locked ones. */
export const lockUnindexed = async (
  trx: Trx,
  rules: string,
  before: string | null,
  limit: number,
): Promise<string[]> => {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `select a.id from (
       select ad_id from (
         (select rules as former from ad_terms where rules < :rules order by rules limit 1)
         union all (select rules from ad_terms where rules > :rules order by rules desc limit 1)
       ) others join ad_terms t on t.rules = former
       where (:before::bigint is null or ad_id < :before) order by ad_id desc limit :limit
     ) t join ads a on a.id = t.ad_id order by a.id for no key update of a skip locked`,
    { rules, before, limit } as never,
  );
  return rows.map(({ id }) => id);
};

export interface IndexProgress {
  /** Ads whose terms are made by the rules of now. */
  indexed: number;
  total: number;
}

export const readIndexProgress = async (db: Db, rules: string): Promise<IndexProgress> => {
  const { rows } = await db.raw<{ rows: IndexProgress[] }>(
    'select count(*) filter (where rules = ?)::int as indexed, count(*)::int as total from ad_terms',
    [rules],
  );
  return rows[0]!;
};
