import type { App } from '../../app-context.ts';
import { refreshListed } from './repository.ts';
import { countWords } from './search/words-repository.ts';

/** Takes ads whose time is over out of the lists; unsold ones expire. */
export const expireAds = async ({ db, log }: App): Promise<void> => {
  const changed = await refreshListed(db);
  if (changed > 0) log.info({ ads: changed }, 'ads left the lists by time');
};

/** Counts anew in how many ads each word occurs. */
export const countSearchWords = ({ db }: App): Promise<void> => countWords(db);
