import { getLanguage } from '../../../../contract/i18n.ts';
import { getDirection } from '../../../../contract/languages.ts';
import { type PageText, readPageText, type TextPage } from '../../../../contract/page-texts.ts';
import { useApiQuery } from '../../api/query.ts';

export const usePageText = (page: TextPage) =>
  useApiQuery(readPageText, { params: { page }, query: { language: getLanguage() } });

/** The language of a text that is in another one than the page. */
export const getForeign = ({ language }: PageText) =>
  language === getLanguage() ? undefined : { lang: language, dir: getDirection(language) };
