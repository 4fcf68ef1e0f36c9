/**
 * A name in lower case, a character at a time as PostgreSQL's lower() does it: what finds one row there is one text here. (The whole
 * text makes two characters of "İ", and another "σ" of "Σ" at the end of a word.)
 */
export const foldCase = (name: string): string =>
  Array.from(name, (character) => String.fromCodePoint(character.toLowerCase().codePointAt(0)!)).join('');
