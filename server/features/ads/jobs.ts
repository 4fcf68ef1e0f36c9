import type { AppContext } from '../../app-context.ts';
import { expireListings } from './repository.ts';
import { countWords } from './search/words-repository.ts';

export const expireAds = async ({ db, log }: AppContext): Promise<void> => {
  const changed = await expireListings(db);
  if (changed > 0) log.info({ ads: changed }, 'ads left the lists by time');
};

export const countSearchWords = ({ db }: AppContext): Promise<void> => countWords(db);
