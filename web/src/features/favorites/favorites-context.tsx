import { createContext, type ReactNode, use, useMemo, useState } from 'react';
import { listFavoriteIds, toggleFavorite } from '../../../../contract/favorites.ts';
import { hasStatus } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useSession } from '../../api/session.ts';
import { useCall } from '../../api/use-call.ts';
import { useToast } from '../../ui/toast/toast-context.ts';
import { useOpenSignIn } from '../session/sign-in-context.tsx';
import { createToggleQueue, type Outcome } from './toggle-queue.ts';

interface Favorites {
  ids: ReadonlySet<string>;
  toggle: (adId: string) => Promise<void>;
  /** Corrects one ad by what the server says of it. */
  learn: (adId: string, isFavorited: boolean) => void;
}

const FavoritesContext = createContext<Favorites>({ ids: new Set(), toggle: async () => {}, learn: () => {} });

export const useFavorites = (): Favorites => use(FavoritesContext);

const withId = (ids: string[], adId: string, present: boolean): string[] =>
  present ? [...new Set([adId, ...ids])] : ids.filter((id) => id !== adId);

const successToast = ({ isFavorited, postedToX }: Outcome) =>
  isFavorited
    ? {
        title: 'Added to favorites',
        description: postedToX
          ? 'This ad has been saved to your favorites and posted to your X account!'
          : 'This ad has been saved to your favorites',
      }
    : { title: 'Removed from favorites', description: 'This ad has been removed from your favorites' };

/** The hearts of the whole page: read once, flipped at once, set right by the server's answer. */
export const FavoritesProvider = ({ children }: { children: ReactNode }) => {
  const { user } = useSession();
  const { data, mutate } = useCall(listFavoriteIds, user ? {} : null);
  const [enqueue] = useState(() => createToggleQueue((id) => call(toggleFavorite, { params: { id } })));
  const refresh = useRefresh();
  const openSignIn = useOpenSignIn();
  const toast = useToast();

  const favorites = useMemo<Favorites>(() => {
    const ids = new Set(user ? data : []);
    const learn = (adId: string, present: boolean) =>
      void mutate((now) => withId(now ?? [], adId, present), { revalidate: false });
    const toggle = async (adId: string) => {
      if (!user) {
        toast({ title: 'Please log in', description: 'You need to be logged in to favorite ads' });
        openSignIn();
        return;
      }
      const actual = ids.has(adId);
      learn(adId, !actual);
      try {
        const outcome = await enqueue(adId, actual, !actual);
        if (!outcome) return;
        learn(adId, outcome.isFavorited);
        if (outcome.isFavorited !== actual) toast(successToast(outcome));
        await refresh('favorites');
      } catch (error) {
        learn(adId, actual);
        const description = hasStatus(error, 401) ? 'Please log in to add favorites' : 'Failed to toggle favorite';
        toast({ title: 'Error', description, variant: 'destructive' });
      }
    };
    return { ids, learn, toggle };
  }, [data, user, mutate, enqueue, refresh, openSignIn, toast]);

  return <FavoritesContext value={favorites}>{children}</FavoritesContext>;
};
