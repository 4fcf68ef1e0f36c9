/** The article, also behind "and", "in", "like", "for". */
const ARTICLE = /^(?:وال|بال|كال|فال|ولل|ال|لل)(?=.{3})/u;
const AND = /^و(?=.{4})/u;
/** Of a folded word, so ta marbuta is ha. Short words keep theirs: بنزين is no بنز. */
const ENDINGS = [/(?<=.{3})(?:تين|تان|ات)$|(?<=.{4})(?:ين|ها)$/u, /(?<=.{4})(?:يه|ي)$/u, /(?<=.{2})ه$|(?<=.{3})ا$/u];
/** Their stem is another word: a car is not Arabic. */
const OTHERS = new Set(['عربيه', 'العربيه', 'عربيات', 'العربيات']);

const PLURAL = /(?<=.{3})ات$/u;

const ARABIC = /^\p{sc=Arab}+$/u;

/**
 * The light stem of a folded Arabic word: without article, plural and female endings. That of PostgreSQL cuts first letters
 * off and does not join سيارات and سيارة. Plurals that change inside of the word are synonyms (languages/ar.ts).
 */
export const stemArabic = (word: string): string => {
  if (!ARABIC.test(word) || OTHERS.has(word)) return word;
  return ENDINGS.reduce((stem, ending) => stem.replace(ending, ''), dropArticle(word));
};

const dropArticle = (word: string): string =>
  word.replace(AND, (found) => (ARTICLE.test(word) ? found : '')).replace(ARTICLE, '');

/** How else a title may have a folded Arabic word: with or without its article, and in the singular. */
export const listArabicForms = (word: string): string[] => {
  if (!ARABIC.test(word) || word.length < 3) return [];
  const bare = dropArticle(word);
  const forms = PLURAL.test(bare) ? [bare, bare.replace(PLURAL, ''), bare.replace(PLURAL, 'ه')] : [bare];
  return forms.flatMap((form) => [form, `ال${form}`]).filter((form) => form !== word);
};
