const WORD = String.raw`'[\p{L}\p{N}]{2,30}'`;
const ALTERNATIVES = new RegExp(String.raw`^${WORD}(?: \| ${WORD})*$`, 'u');

/**
 * The required parts of a conjunction: `'a'` and `'b' | 'c'` for `'a' & ( 'b' | 'c' )`. Omits parts of unknown form.
 */
export const splitConjunction = (query: string): string[] => {
  const parts = query.split(' & ');
  // & binds more tightly than |: in 'a' & 'b' | 'c' no part is required
  if (parts.length > 1 && parts.some((part) => part.includes('|') && !/^\(.*\)$/.test(part))) return [];
  return parts.map((part) => part.replace(/^\( (.*) \)$/, '$1')).filter((part) => ALTERNATIVES.test(part));
};

const LEXEME = String.raw`'(?:[^'\\]|''|\\\\)+'`;

const unquote = (lexeme: string): string => lexeme.slice(1, -1).replaceAll("''", "'").replaceAll('\\\\', '\\');

export const listLexemes = (query: string): string[] => query.match(new RegExp(LEXEME, 'gu'))?.map(unquote) ?? [];

/**
 * Lists of stems of a query without negations: an ad without any stem of one of them does not match. At least one list,
 * each with the alternatives of a part if the parts are known.
 */
export const listRequiredWords = (query: string): string[][] => {
  const parts = splitConjunction(query);
  return (parts.length > 0 ? parts : [query]).map(listLexemes);
};

const PART = new RegExp(String.raw`^(?:${LEXEME}|\( ${LEXEME}(?: \| ${LEXEME})* \))$`, 'u');
const ANY_OF = new RegExp(String.raw`^${LEXEME}(?: \| ${LEXEME})*$`, 'u');

/** A query of more parts stays whole, because each number of parts is a separate prepared statement. */
const MAX_PARTS = 4;

export const splitQuery = (query: string): string[] => {
  const parts = query.split(' & ');
  return parts.length <= MAX_PARTS && parts.every((part) => PART.test(part)) ? parts : [query];
};

/** Whether an ad with one of the words of this part matches it. */
export const isAnyOf = (part: string): boolean => PART.test(part) || ANY_OF.test(part);

/** The signs of lexemes that are no words but say where one stands (README.md), as ad_priced_words has them. */
const SIGN = /^[=~^@#]/;

/** An ad that matches this part has one of these words. Undefined if it may have none of them. */
export const listNeededWords = (part: string): string[] | undefined => {
  const lexemes = listLexemes(part);
  return part.includes('!') || lexemes.some((lexeme) => SIGN.test(lexeme)) ? undefined : lexemes;
};
