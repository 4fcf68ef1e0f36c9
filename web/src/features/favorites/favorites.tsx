import { clsx as cn } from 'clsx';
import { Heart } from 'lucide-react';
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import type { Ad } from '../../../../contract/ads.ts';
import { getFavoriteStatus, listFavoriteIds, toggleFavorite } from '../../../../contract/favorites.ts';
import { t } from '../../../../contract/i18n.ts';
import { apiRequest, hasStatus } from '../../api/client.ts';
import { useApiQuery, useInvalidateQueries } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { unlessOffline } from '../../lib/online.ts';
import { useToast } from '../../ui/toast/toast.tsx';
import { takeIntent } from '../auth/intent.ts';
import { useOpenSignIn } from '../auth/sign-in.tsx';

export const FavoriteButton = ({ ad, className }: { ad: Pick<Ad, 'id' | 'title'>; className?: string }) => {
  const { isFavorited, toggle } = useAdFavorite(ad.id);
  return (
    <button
      type="button"
      aria-pressed={isFavorited}
      aria-label={t('list.saveAd', { title: ad.title })}
      onClick={() => void toggle()}
      className={cn(
        'group/heart flex size-9 items-center justify-center rounded-full bg-card/85 text-foreground shadow-raised backdrop-blur-sm after:absolute after:-inset-1',
        className,
      )}
    >
      <Heart
        className={cn(
          'size-5 transition-[scale] duration-250 ease-pop group-hover/heart:scale-110 group-active/heart:scale-75',
          isFavorited && 'fill-favorite text-favorite',
        )}
      />
    </button>
  );
};

interface Favorites {
  ids: ReadonlySet<string>;
  toggle: (adId: string) => Promise<void>;
  setFavoriteLocally: (adId: string, isFavorited: boolean) => void;
}

const FavoritesContext = createContext<Favorites>({
  ids: new Set(),
  toggle: async () => {},
  setFavoriteLocally: () => {},
});

const useFavorites = (): Favorites => use(FavoritesContext);

/** The server lists at most this many ids. */
const MAX_LISTED = 1000;

const isCutOff = (ids: ReadonlySet<string>): boolean => ids.size >= MAX_LISTED;

const withId = (ids: string[], adId: string, present: boolean): string[] =>
  present ? [...new Set([adId, ...ids])] : ids.filter((id) => id !== adId);

const successToast = ({ isFavorited, postedToX }: Outcome) =>
  isFavorited
    ? {
        title: t('list.favoriteAdded'),
        description: postedToX ? t('list.favoriteAddedPosted') : t('list.favoriteAddedText'),
      }
    : { title: t('list.favoriteRemoved'), description: t('list.favoriteRemovedText') };

export const FavoritesProvider = ({ children }: { children: ReactNode }) => {
  const { user } = useSession();
  const { data, mutate } = useApiQuery(listFavoriteIds, user && !user.suspendedUntil ? {} : null);
  const [enqueue] = useState(() => createToggleQueue((id) => apiRequest(toggleFavorite, { params: { id } })));
  const refresh = useInvalidateQueries();
  const openSignIn = useOpenSignIn();
  const toast = useToast();

  const favorites = useMemo<Favorites>(() => {
    const ids = new Set(user ? data : []);
    const setFavoriteLocally = (adId: string, present: boolean) =>
      void mutate((now) => withId(now ?? [], adId, present), { revalidate: false });
    const toggle = async (adId: string) => {
      if (!user) {
        toast({ title: t('list.favoriteLogin'), description: t('list.favoriteLoginText') });
        openSignIn(undefined, { does: 'save', about: adId });
        return;
      }
      let actual = ids.has(adId);
      try {
        // The list of ids may be cut off before this ad, whose heart was empty until its status has arrived.
        if (!actual && isCutOff(ids)) {
          actual = (await apiRequest(getFavoriteStatus, { params: { id: adId } })).isFavorited;
          if (actual) return setFavoriteLocally(adId, true);
        }
        setFavoriteLocally(adId, !actual);
        const outcome = await enqueue(adId, actual, !actual);
        if (!outcome) return;
        setFavoriteLocally(adId, outcome.isFavorited);
        if (outcome.isFavorited !== actual) toast(successToast(outcome));
        await refresh('favorites');
      } catch (error) {
        setFavoriteLocally(adId, actual);
        const isSignedOut = hasStatus(error, 401);
        toast.error(unlessOffline(isSignedOut ? t('list.favoriteLoginFailed') : t('list.favoriteFailed')));
        if (isSignedOut) openSignIn(undefined, { does: 'save', about: adId });
      }
    };
    return { ids, setFavoriteLocally, toggle };
  }, [data, user, mutate, enqueue, refresh, openSignIn, toast]);

  useEffect(() => {
    if (!user || !data) return;
    const intent = takeIntent(({ does }) => does === 'save');
    if (intent && !favorites.ids.has(intent.about)) void favorites.toggle(intent.about);
  }, [user, data, favorites]);

  return <FavoritesContext value={favorites}>{children}</FavoritesContext>;
};

export interface Outcome {
  isFavorited: boolean;
  postedToX: boolean;
}

interface Pending {
  wanted: boolean;
  actual: boolean;
}

/**
 * The endpoint toggles, so requests about one ad must not overlap. One request runs at a time; clicks meanwhile only
 * change the wanted state. Resolves to the outcome, or to undefined for a click that the running request covers.
 */
export const createToggleQueue = (send: (adId: string) => Promise<Outcome>) => {
  const running = new Map<string, Pending>();
  return async (adId: string, actual: boolean, wanted: boolean): Promise<Outcome | undefined> => {
    const present = running.get(adId);
    if (present) {
      present.wanted = wanted;
      return undefined;
    }
    const pending: Pending = { wanted, actual };
    running.set(adId, pending);
    let outcome: Outcome = { isFavorited: actual, postedToX: false };
    try {
      while (pending.wanted !== pending.actual) {
        const reply = await send(adId);
        // Another tab may have toggled it meanwhile. The server's state wins.
        outcome = { isFavorited: reply.isFavorited, postedToX: outcome.postedToX || reply.postedToX };
        pending.actual = reply.isFavorited;
      }
      return outcome;
    } finally {
      running.delete(adId);
    }
  };
};

/** Whether one ad is a favorite. If the list of ids is truncated, the server is asked about this ad. */
export const useAdFavorite = (adId: string) => {
  const { user } = useSession();
  const { ids, toggle, setFavoriteLocally } = useFavorites();
  const isUnsure = Boolean(user) && isCutOff(ids) && !ids.has(adId);
  useApiQuery(getFavoriteStatus, isUnsure ? { params: { id: adId } } : null, {
    onSuccess: ({ isFavorited }) => (isFavorited ? setFavoriteLocally(adId, true) : undefined),
  });
  return { isFavorited: ids.has(adId), toggle: () => toggle(adId) };
};
