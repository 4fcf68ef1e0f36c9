import type { PlaceRow } from '../../db/rows.ts';
import { foldName } from './fold-name.ts';

/** Latin names of smaller cities are mostly spellings that nobody types. */
const MIN_POPULATION_LATIN = 100_000;
/** `place_names` refuses longer ones. */
const MAX_LENGTH = 200;

const EASTERN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Common}\p{Script=Inherited}]+$/u;
const ARABIC = /^[\p{Script=Arabic}\p{Script=Common}\p{Script=Inherited}]+$/u;
const LATIN = /^\p{Lu}[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]+$/u;
/** Of airports, licence plates and regions. */
const CODE = /^\p{Lu}{1,4}$/u;

const ARTICLE = 'ال';

const isTyped = (name: string, population: number): boolean =>
  EASTERN.test(name) ||
  ARABIC.test(name) ||
  (population >= MIN_POPULATION_LATIN && LATIN.test(name) && !CODE.test(name));

const withoutArticle = (folded: string): string[] =>
  folded.startsWith(ARTICLE) && folded.length > ARTICLE.length + 1 ? [folded, folded.slice(ARTICLE.length)] : [folded];

/**
 * What people call a place in the scripts of our languages, folded: not what the place's own name begins with. Arabic
 * names with the article are there without it, too.
 */
export const listOtherNames = (
  { name, region, country, population }: Pick<PlaceRow, 'name' | 'region' | 'country' | 'population'>,
  names: readonly string[],
): string[] => {
  const typed = names.filter((one) => isTyped(one, population));
  if (typed.length === 0) return [];
  const own = foldName([name, region ?? '', country].join(' '));
  const folded = typed.flatMap((one) => withoutArticle(foldName(one)));
  return [...new Set(folded)].filter((one) => one !== '' && one.length <= MAX_LENGTH && !own.startsWith(one)).sort();
};
