import type { App } from '../../app.ts';
import { refreshListed } from './due-store.ts';
import { countWords } from './words-store.ts';

/** Takes ads whose time is over out of the lists; unsold ones expire. */
export const expireAds = async ({ db, log }: App): Promise<void> => {
  const changed = await refreshListed(db);
  if (changed > 0) log.info({ ads: changed }, 'ads left the lists by time');
};

/** Counts anew in how many ads each word occurs. */
export const countSearchWords = ({ db }: App): Promise<void> => countWords(db);
