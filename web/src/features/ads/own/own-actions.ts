import { type Ad, deleteAd, renewAd, setAdPaused, setAdSold } from '../../../../../contract/ads.ts';
import { type TextKey, t } from '../../../../../contract/i18n.ts';
import { apiRequest, getErrorMessage } from '../../../api/client.ts';
import { useInvalidateQueries } from '../../../api/query.ts';
import { formatDate } from '../../../lib/format.ts';

export type OwnAction = 'sell' | 'renew' | 'pause' | 'resume' | 'delete';

interface Texts {
  /** Said when it is done. */
  title: TextKey;
  failure: TextKey;
  /** Said of several: "2 ads paused." */
  done: TextKey;
}

export const TEXTS: Record<OwnAction, Texts> = {
  // a question for each of several ads would be as slow as one ad after another, so it says how to name a buyer
  sell: { title: 'dashboard.sold', failure: 'dashboard.sellFailed', done: 'dashboard.soldCount' },
  renew: { title: 'dashboard.renewed', failure: 'dashboard.renewFailed', done: 'dashboard.renewedCount' },
  pause: { title: 'dashboard.paused', failure: 'dashboard.pauseFailed', done: 'dashboard.pausedCount' },
  resume: { title: 'dashboard.resumed', failure: 'dashboard.resumeFailed', done: 'dashboard.resumedCount' },
  delete: { title: 'dashboard.deleted', failure: 'dashboard.deleteFailed', done: 'dashboard.deletedCount' },
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
      return t('dashboard.deletedText');
    case 'pause':
      return t('dashboard.pausedText');
    case 'resume':
      return t('dashboard.resumedText');
    default:
      return saved?.expiresAt ? t('dashboard.liveUntil', { date: formatDate(saved.expiresAt) }) : t('dashboard.live');
  }
};

/** The most ads that are changed at once. */
export const MOST = 100;

export const askToDelete = (count: number): boolean => window.confirm(t('dashboard.askToDelete', { count }));

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
          const problem = getErrorMessage(error, t(TEXTS[action].failure));
          failures.push(t('dashboard.adProblem', { title: ad.title, problem }));
        }
      }
      void refresh();
      return { summary: t(TEXTS[action].done, { count: ads.length - failures.length }), failures };
    },
  };
};
