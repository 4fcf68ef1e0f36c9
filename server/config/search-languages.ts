/**
 * The languages whose endings or words the search knows, by ISO code. What it knows of each is in
 * server/features/ads/search: `lexicon.ts` and `languages/`.
 */
export const SEARCH_LANGUAGES: readonly string[] =
  'ar ca da de el en es eu fi fr ga he hi hu hy id it ja ko lt ne nl no pl pt ro ru sr sv ta th tr vi yi zh'.split(' ');
