import type { AppContext } from '../../../app-context.ts';
import { listTitleWords } from './similar-repository.ts';
import { type CategoryCount, countByCategory, quoteLexeme } from './words-repository.ts';

/** So many words of a title are asked about, the rarest first: common ones are in every category. */
const ASKED_WORDS = 4;
/** Of each word so many of the newest ads. */
const SAMPLE_ADS = 60;
const CATEGORIES = 5;
/** What the best category has to have of all votes. */
const LEAST_SHARE = 0.5;

export interface Vote {
  /** The listed ads with the word. */
  ads: number;
  counted: readonly Pick<CategoryCount, 'categorySlug' | 'count'>[];
}

/** The category for which the words vote, rare ones more: each by the share of its ads that are there. */
export const countVotes = (votes: readonly Vote[]): string | null => {
  const scores = new Map<string, number>();
  for (const { ads, counted } of votes) {
    const total = counted.reduce((sum, { count }) => sum + count, 0);
    for (const { categorySlug, count } of counted) {
      const score = count / total / (1 + Math.log10(1 + ads));
      scores.set(categorySlug, (scores.get(categorySlug) ?? 0) + score);
    }
  }
  const all = [...scores.values()].reduce((sum, score) => sum + score, 0);
  const [best] = [...scores].toSorted(([, a], [, b]) => b - a);
  return best && best[1] >= LEAST_SHARE * all ? best[0] : null;
};

/** The slug of the category in which ads with the words of this title mostly are; null if there is none. */
export const proposeCategory = async (ctx: AppContext, title: string): Promise<string | null> => {
  const words = (await listTitleWords(ctx, title)).filter(({ ads }) => ads > 0).slice(0, ASKED_WORDS);
  const votes = await Promise.all(
    words.map(async ({ lexemes, ads }) => {
      const filter = { query: lexemes.map(quoteLexeme).join(' | '), queryAds: ads, isSellerKept: true as const };
      return { ads, counted: await countByCategory(ctx.reads, filter, SAMPLE_ADS, CATEGORIES) };
    }),
  );
  return countVotes(votes);
};
