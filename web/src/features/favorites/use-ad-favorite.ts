import { getFavoriteStatus } from '../../../../contract/favorites.ts';
import { useSession } from '../../api/session.ts';
import { useCall } from '../../api/use-call.ts';
import { useFavorites } from './favorites-context.tsx';

/** The list of ids ends here. */
const LISTED = 1000;

/** The heart of one ad's page. Whoever saved more ads than the list of ids tells is asked for by name. */
export const useAdFavorite = (adId: string) => {
  const { user } = useSession();
  const { ids, toggle, learn } = useFavorites();
  const isUnsure = Boolean(user) && ids.size >= LISTED && !ids.has(adId);
  useCall(getFavoriteStatus, isUnsure ? { params: { id: adId } } : null, {
    onSuccess: ({ isFavorited }) => (isFavorited ? learn(adId, true) : undefined),
  });
  return { isFavorited: ids.has(adId), toggle: () => toggle(adId) };
};
