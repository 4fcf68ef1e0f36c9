import { existsSync, readFileSync } from 'node:fs';
import { type Language, WRITTEN_LANGUAGES, type WrittenLanguage } from '../../../../contract/languages.ts';
import { TEXT_PAGES, type TextPage } from '../../../../contract/page-texts.ts';

// Markdown, as administrators write it: <language>/<page>.md. The pages "How it works" and "Safety tips" lay out the
// sections of theirs (web/src/pages), so each language has the same ones.

interface BuiltIn {
  text: string;
  /** The month of its last change of meaning, where the page names one. */
  updated: string | null;
  language: WrittenLanguage;
}

const UPDATED: Partial<Record<TextPage, string>> = { 'terms-of-service': '2025-01' };

const readBuiltIn = (page: TextPage, language: WrittenLanguage): BuiltIn | null => {
  const file = new URL(`${language}/${page}.md`, import.meta.url);
  if (!existsSync(file)) return null;
  return { text: readFileSync(file, 'utf8').trim(), updated: UPDATED[page] ?? null, language };
};

const readPages = (language: WrittenLanguage): Record<TextPage, BuiltIn | null> =>
  Object.fromEntries(TEXT_PAGES.map((page) => [page, readBuiltIn(page, language)])) as Record<TextPage, BuiltIn | null>;

const BUILT_IN = Object.fromEntries(WRITTEN_LANGUAGES.map((language) => [language, readPages(language)]));

/** The text of a page that an operator wrote none for. There is no imprint that fits everybody. */
export const getBuiltIn = (page: TextPage, language: Language): BuiltIn | null =>
  (BUILT_IN[language] ?? BUILT_IN.en)?.[page] ?? null;
