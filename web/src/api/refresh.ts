import { useCallback } from 'react';
import { useSWRConfig } from 'swr';

/** The lists that a write may change, by the addresses that the cache knows them under. */
const LISTS = {
  ads: /^\/api\/(ads(\?|$)|stats|categories\/stats)/,
  myAds: /^\/api\/users\/(\d+\/ads|me\/stats)/,
  profiles: /^\/api\/users\/[^/]+\/profile/,
  favorites: /^\/api\/(user\/favorites|users\/me\/stats)/,
  adminUsers: /^\/api\/admin\/(users|stats)/,
  adminAds: /^\/api\/admin\/(ads|stats)/,
};

/**
 * Forgets lists after a write: those on screen are fetched again now, the others when they are next shown. Data counts
 * as never stale, so without this a list would stay as it was.
 */
export const useRefresh = () => {
  const { mutate } = useSWRConfig();
  return useCallback(
    async (...names: (keyof typeof LISTS)[]): Promise<void> => {
      const concerns = (key: unknown) => typeof key === 'string' && names.some((name) => LISTS[name].test(key));
      await mutate(concerns, undefined, { revalidate: true });
    },
    [mutate],
  );
};
