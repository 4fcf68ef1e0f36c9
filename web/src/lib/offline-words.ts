import { getLanguage, getReadingDirection, t } from '../../../contract/i18n.ts';

/** Keeps the words of the service worker in the language of the page: it has English ones until then, and no catalogs. */
export const keepOfflineWords = async (): Promise<void> => {
  const words = {
    language: getLanguage(),
    direction: getReadingDirection(),
    title: t('shell.offlineTitle'),
    text: t('offline.text'),
    tryAgain: t('shell.tryAgain'),
    trying: t('offline.trying'),
    failed: t('offline.failed'),
    notification: t('offline.notification'),
  };
  const cache = await caches.open('words');
  await cache.put('/words', Response.json(words));
};
