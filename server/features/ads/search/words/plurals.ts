/** Plurals that PostgreSQL's dictionaries do not join with their singular; of folded words, by language. */
const PLURALS: Readonly<Record<string, readonly (readonly [plural: RegExp, singular: string])[]>> = {
  en: [
    [/(?<=l|ar|ea|oa|hie)ves$/u, 'f'],
    [/(?<=kni|wi)ves$/u, 'fe'],
  ],
  es: [[/(?<=\p{L}{2})ces$/u, 'z']],
  fr: [[/(?<=\p{L}{2}o)ux$/u, 'u']],
  pt: [
    // the stem of "violao" is "viola"
    [/(?<=\p{L}{2})oes$/u, 'a'],
    [/(?<=\p{L}{2}[aeou])is$/u, 'l'],
  ],
};

/** The singular, or its stem, of words that are such plurals in one of these languages; others as they are. */
export const createSingulars = (languages: readonly string[]): ((word: string) => string) => {
  const rules = languages.flatMap((code) => PLURALS[code] ?? []);
  return (word) => {
    const rule = rules.find(([plural]) => plural.test(word));
    return rule ? word.replace(...rule) : word;
  };
};
