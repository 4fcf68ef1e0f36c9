import { labels } from './i18n.ts';

/** What a brand says in each language, in the place of the words of DEFAULT_BRAND, as long as nobody writes others. */
export const BUILT_IN_WORDS = labels<'headline' | 'tagline' | 'footerLine'>({
  headline: 'brand.builtInHeadline',
  tagline: 'brand.builtInTagline',
  footerLine: 'brand.builtInFooterLine',
});
