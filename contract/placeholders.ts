import { labels } from './i18n.ts';

/**
 * What the text of a page may name in braces, which follows the settings: "{site}". Apart from `page-texts.ts`, because
 * visitors need no words for it.
 */
export const PLACEHOLDERS = labels({
  site: 'content.name_site',
  supportEmail: 'content.name_supportEmail',
  legalEmail: 'content.name_legalEmail',
  currency: 'content.name_currency',
  photosAndTitle: 'content.name_photosAndTitle',
  categories: 'content.name_categories',
  appealDays: 'content.name_appealDays',
  visitDays: 'content.name_visitDays',
  notificationDays: 'content.name_notificationDays',
  formerPriceDays: 'content.name_formerPriceDays',
  caseCopyDays: 'content.name_caseCopyDays',
  reporterAddressDays: 'content.name_reporterAddressDays',
  sessionDays: 'content.name_sessionDays',
  sessionIdleDays: 'content.name_sessionIdleDays',
});
export type Placeholder = keyof typeof PLACEHOLDERS;
