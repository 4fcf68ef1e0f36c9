import type { Brand } from './brand.ts';

/** The name and the home country come from elsewhere: SITE_NAME and the platform's settings. Pages need no translations. */
export const DEFAULT_BRAND: Omit<Brand, 'name' | 'homeCountry' | 'translations'> = {
  shortName: '',
  accent: '#0265d9',
  headline: 'Buy and sell with people on X',
  tagline: 'The marketplace for X users. Look up every seller before you meet.',
  footerLine: 'The marketplace for X users. Buy and sell with people you can look up before you meet.',
  isBeta: true,
  theme: 'light',
  links: [],
};
