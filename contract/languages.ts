/** The languages that the catalogs in messages/ have, each by its code of BCP 47. */
export const WRITTEN_LANGUAGES = ['en', 'de', 'fr', 'es', 'pt-BR', 'ja', 'ar'] as const;

/** For tests: computed from English (contract/pseudo.ts), longer and in brackets, or mirrored. */
const PSEUDO = ['en-XA', 'ar-XB'] as const;

export const LANGUAGES = [...WRITTEN_LANGUAGES, ...PSEUDO] as const;
export type WrittenLanguage = (typeof WRITTEN_LANGUAGES)[number];
export type Language = (typeof LANGUAGES)[number];

export const isLanguage = (code: string): code is Language => (LANGUAGES as readonly string[]).includes(code);

/** Each language as its speakers call it. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  'pt-BR': 'Português (Brasil)',
  ja: '日本語',
  ar: 'العربية',
  'en-XA': '[Longer English]',
  'ar-XB': '[Mirrored English]',
};

/** The cookie that keeps the language which a person has chosen. */
export const LANGUAGE_COOKIE = 'language';

export const getDirection = (language: string): 'ltr' | 'rtl' => (language.startsWith('ar') ? 'rtl' : 'ltr');

/** The locale of English. */
export const ENGLISH_LOCALE = 'en-US';

/** The locale of numbers, dates and plurals. Markets that read Arabic also read these digits, in prices above all. */
export const toLocale = (language: Language): string => {
  if (language === 'en' || language === 'en-XA' || language === 'ar-XB') return ENGLISH_LOCALE;
  return language === 'ar' ? 'ar-u-nu-latn' : language;
};
