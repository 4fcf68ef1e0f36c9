// What the search knows about a language. All of it is lower case, with the accents that people write.
export interface Language {
  stopWords: readonly string[];
  // After these words stands the thing that an accessory is for: "case for iphone".
  forWords: readonly string[];
  // The same as the end of the word before: "iphone用".
  forSuffixes?: readonly string[];
  // After a for-word these words do not name a thing: "for sale".
  notFor: readonly string[];
  // After these words only extras follow: a "bike with rack" is a bike.
  withWords: readonly string[];
  // In scripts without spaces: what follows an extra, "付き" of "カバー付き".
  withSuffixes?: readonly string[];
  // In scripts without spaces: words that are no kind of what their last part says.
  otherKinds?: readonly string[];
  // Words that make a title an accessory of the thing, or another kind of it (a "hair dryer" among dryers), each form that people type.
  accessories: readonly string[];
  // They end with a word that they have nothing to do with: "Beispiel" with "Spiel".
  notCompounds?: readonly string[];
  // How people misspell what they sell, often enough that ads have it: 'right > wrong, wrong'.
  misspellings?: readonly string[];
  // 'a, b, c' mean one thing. 'a > b, c': who types a also finds b and c, but not the reverse.
  synonyms: readonly string[];
}

export const list = (words: string): readonly string[] => words.split(', ');
