import type { Settings } from '../../../contract/admin.ts';
import type { Trx } from '../../db/pools.ts';
import type { UserRow } from '../../db/rows.ts';
import { type AdTexts, listTexts } from './columns.ts';
import { resumePriceDrops } from './price-drops.ts';
import { enqueuePublications } from './publications.ts';
import { countApprovedAds } from './repository.ts';
import { hasPhrase, readWords } from './search/words/phrases.ts';

/** The first banned word or phrase in a text, by the words of the search: case, accents and hyphens do not matter. */
export const findBannedWord = (text: string, bannedWords: readonly string[]): string | undefined => {
  if (bannedWords.length === 0) return undefined;
  const words = readWords(text);
  return bannedWords.find((banned) => hasPhrase(words, banned));
};

export interface SellerStanding {
  isVerified: boolean;
  approvedAds: number;
}

const TRUSTED_AFTER = 3;
export const isTrusted = ({ isVerified, approvedAds }: SellerStanding): boolean =>
  isVerified || approvedAds >= TRUSTED_AFTER;

/** Whether a new or edited ad goes live or waits for review. Banned words require a review in every mode. */
export const judgeAd = (settings: Settings, seller: SellerStanding, ad: AdTexts): 'pass' | 'question' => {
  const text = listTexts(ad).join('\n');
  if (findBannedWord(text, settings.bannedWords) !== undefined) return 'question';
  if (settings.moderationMode === 'manual') return 'question';
  return settings.moderationMode === 'trusted' && !isTrusted(seller) ? 'question' : 'pass';
};

/** Judges an ad of this seller. */
export const judge = async (trx: Trx, settings: Settings, seller: UserRow, ad: AdTexts): Promise<'pass' | 'question'> =>
  judgeAd(
    settings,
    {
      isVerified: seller.is_verified,
      // a seller may have thousands of ads, and only this mode asks
      approvedAds: settings.moderationMode === 'trusted' ? await countApprovedAds(trx, seller.id, TRUSTED_AFTER) : 0,
    },
    ad,
  );

/** The ad may be public again after a review: notifies those whom it concerns. */
export const announceReviewed = async (trx: Trx, adId: string): Promise<void> => {
  await enqueuePublications(trx);
  await resumePriceDrops(trx, adId);
};
