import { type Ad, deleteAd, renewAd, setAdPaused, setAdSold } from '../../../../../contract/ads.ts';
import { pluralize } from '../../../../../contract/plural.ts';
import { apiRequest, getErrorMessage } from '../../../api/client.ts';
import { useInvalidateQueries } from '../../../api/query.ts';
import { formatDate } from '../../../lib/format.ts';

export type OwnAction = 'sell' | 'renew' | 'pause' | 'resume' | 'delete';

interface Texts {
  /** Said when it is done. */
  title: string;
  failure: string;
  /** Said of several: "2 ads paused". */
  done: string;
}

export const TEXTS: Record<OwnAction, Texts> = {
  sell: { title: 'Marked as sold', failure: 'Failed to update ad status. Please try again.', done: 'marked as sold' },
  renew: { title: 'Ad renewed', failure: 'Failed to renew ad. Please try again.', done: 'renewed' },
  pause: { title: 'Ad paused', failure: 'Failed to pause ad. Please try again.', done: 'paused' },
  resume: { title: 'Ad resumed', failure: 'Failed to resume ad. Please try again.', done: 'resumed' },
  delete: { title: 'Ad deleted', failure: 'Failed to delete ad. Please try again.', done: 'deleted' },
};

const send = async (action: OwnAction, { id }: Ad): Promise<Ad | undefined> => {
  const params = { id };
  switch (action) {
    case 'sell':
      return apiRequest(setAdSold, { params, body: { isSold: true } });
    case 'renew':
      return apiRequest(renewAd, { params });
    case 'pause':
    case 'resume':
      return apiRequest(setAdPaused, { params, body: { paused: action === 'pause' } });
    case 'delete':
      await apiRequest(deleteAd, { params });
      return undefined;
  }
};

/** What is said below the title of TEXTS. */
export const toDescription = (action: OwnAction, saved: Ad | undefined): string => {
  switch (action) {
    case 'delete':
      return 'Your ad has been successfully deleted.';
    case 'pause':
      return 'Nobody else sees it until you resume it.';
    case 'resume':
      return 'Everyone can see it again.';
    default:
      return saved?.expiresAt ? `Your ad is live until ${formatDate(saved.expiresAt)}.` : 'Your ad is live.';
  }
};

/** The most ads that are changed at once. */
export const MOST = 100;

export const askToDelete = (count: number): boolean =>
  window.confirm(
    count === 1 ? 'Are you sure you want to delete this ad?' : `Are you sure you want to delete these ${count} ads?`,
  );

/** A question for each of several ads would be as slow as one ad after another. */
const NO_BUYER = 'To name a buyer and be rated, mark an ad as sold by itself.';

export interface Outcome {
  /** "2 ads paused." */
  summary: string;
  /** Of each ad that could not be changed, why. */
  failures: string[];
}

/** What the owner does with one ad or several. Lists on screen load again once at the end. */
export const useOwnActions = () => {
  const invalidate = useInvalidateQueries();
  const refresh = () => invalidate(...setAdSold.invalidates);
  return {
    one: async (action: OwnAction, ad: Ad): Promise<Ad | undefined> => {
      const saved = await send(action, ad);
      void refresh();
      return saved;
    },
    /** One after another, so that each has its own result. */
    all: async (action: OwnAction, ads: readonly Ad[]): Promise<Outcome> => {
      const failures: string[] = [];
      for (const ad of ads) {
        try {
          await send(action, ad);
        } catch (error) {
          failures.push(`${ad.title}: ${getErrorMessage(error, TEXTS[action].failure)}`);
        }
      }
      void refresh();
      const summary = `${pluralize(ads.length - failures.length, 'ad')} ${TEXTS[action].done}.`;
      return { summary: action === 'sell' ? `${summary} ${NO_BUYER}` : summary, failures };
    },
  };
};
