import { readStored, useStored, writeStored } from './storage.ts';

const KEY = 'recent-searches';
const MOST_KEPT = 20;

const parse = (json: string | null): string[] => {
  try {
    const value: unknown = JSON.parse(json ?? '[]');
    return Array.isArray(value) ? value.filter((search) => typeof search === 'string') : [];
  } catch {
    return [];
  }
};

const change = (toNew: (searches: string[]) => string[]) => {
  const searches = toNew(parse(readStored('localStorage', KEY))).slice(0, MOST_KEPT);
  writeStored('localStorage', KEY, searches.length > 0 ? JSON.stringify(searches) : null);
};

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Keeps the words that this person searched for, in this browser alone, until they sign out. */
export const keepSearch = (search: string): void => {
  if (search) change((searches) => [search, ...searches.filter((other) => !isSame(other, search))]);
};

export const forgetSearch = (search: string): void =>
  change((searches) => searches.filter((other) => !isSame(other, search)));

export const forgetSearches = (): void => writeStored('localStorage', KEY, null);

/** The searches of which a word begins with the text, last one first. */
export const useRecentSearches = (text: string): string[] => {
  const searches = parse(useStored('localStorage', KEY));
  const typed = text.trim().toLowerCase();
  return searches.filter((search) => {
    const lower = search.toLowerCase();
    return lower !== typed && (lower.startsWith(typed) || lower.includes(` ${typed}`));
  });
};
