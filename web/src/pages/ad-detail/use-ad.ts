import { useMemo } from 'react';
import { useSWRConfig } from 'swr';
import { type Ad, getAd, listAds } from '../../../../contract/ads.ts';
import { type Paged, urlOf } from '../../../../contract/boot.ts';
import { useCall } from '../../api/use-call.ts';

/** The ad as a list that was loaded before shows it. */
const useKnownAd = (id: string): Ad | undefined => {
  const { cache } = useSWRConfig();
  return useMemo(() => {
    for (const key of cache.keys()) {
      if (key !== listAds.path && !key.startsWith(`${listAds.path}?`)) continue;
      const known = (cache.get(key)?.data as Paged<Ad[]> | undefined)?.items.find((ad) => ad.id === id);
      if (known) return known;
    }
    return undefined;
  }, [cache, id]);
};

/** The ad of a page: what a list has shown is there at once, and brought up to date by the call. */
export const useAd = (id: string) => {
  const { cache } = useSWRConfig();
  const known = useKnownAd(id);
  const isOnlyKnown = known !== undefined && cache.get(urlOf(getAd, { params: { id } }))?.data === undefined;
  return useCall(
    getAd,
    { params: { id } },
    { fallbackData: known, ...(isOnlyKnown ? { revalidateOnMount: true } : {}) },
  );
};
