import type { AppContext } from '../../app-context.ts';
import { expireListings } from './repository.ts';
import { countWords } from './search/words-repository.ts';

/** Removes ads whose time is over from the lists; unsold ones expire. */
export const expireAds = async ({ db, log }: AppContext): Promise<void> => {
  const changed = await expireListings(db);
  if (changed > 0) log.info({ ads: changed }, 'ads left the lists by time');
};

/** Counts in how many ads each word occurs. */
export const countSearchWords = ({ db }: AppContext): Promise<void> => countWords(db);
