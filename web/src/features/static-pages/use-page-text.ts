import { getLanguage } from '../../../../contract/i18n.ts';
import { readPageText, type TextPage } from '../../../../contract/page-texts.ts';
import { useApiQuery } from '../../api/query.ts';

export const usePageText = (page: TextPage) =>
  useApiQuery(readPageText, { params: { page }, query: { language: getLanguage() } });
