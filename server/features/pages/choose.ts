import type { Language } from '../../../contract/languages.ts';
import { getBuiltIn } from './built-in/texts.ts';
import type { PageTextRow, Sheet } from './repository.ts';

/** What readers of a page see in one language. */
export interface ChosenText {
  text: string;
  /** In which language it is written. */
  language: Language;
  isBuiltIn: boolean;
  /** A day, or a month. Null: the page names no date. */
  updated: string | null;
}

/**
 * The text of a page for readers of a language: the operator's own one in that language, else in the marketplace's first
 * language, because the built-in one might say otherwise; else the built-in one. A page without any, an imprint, has that of
 * whichever language has one.
 */
export const chooseText = (
  rows: readonly PageTextRow[],
  { page, language }: Sheet,
  locales: readonly Language[],
): ChosenText | undefined => {
  const builtIn = getBuiltIn(page, language);
  const [first = language] = locales;
  for (const candidate of builtIn ? [language, first] : [language, ...locales]) {
    const own = rows.find((row) => row.page === page && row.language === candidate);
    if (own?.body != null)
      return { text: own.body, language: candidate, isBuiltIn: false, updated: own.created_at.slice(0, 10) };
  }
  return builtIn ? { ...builtIn, isBuiltIn: true } : undefined;
};
