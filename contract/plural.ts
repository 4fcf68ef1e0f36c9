import { getLocale } from './i18n.ts';
/** "1 ad", "1,200 ads". A count may be text already: "1,000+". */
export const pluralize = (count: number | string, noun: string, nouns = `${noun}s`): string => {
  const text = typeof count === 'string' ? count : count.toLocaleString(getLocale());
  return `${text} ${text === '1' ? noun : nouns}`;
};
