import { LIMITS } from '../../../../contract/limits.ts';
import { listDistances } from '../../../../contract/place-search.ts';
import { apiRequest } from '../../api/client.ts';
import { useApiQuery } from '../../api/query.ts';

type Distances = Record<string, number>;

let next: { from: string; to: Set<string>; reply: Promise<Distances> } | undefined;

/** The distances of all cards that ask at the same time, in one request. */
const readDistances = (from: string, to: string): Promise<Distances> => {
  if (next?.from !== from || next.to.size === LIMITS.pageSizeMax) {
    const ids = new Set<string>();
    const reply = new Promise((resolve) => setTimeout(resolve)).then(() => {
      if (next?.to === ids) next = undefined;
      return apiRequest(listDistances, { params: { id: from }, query: { to: [...ids].sort().join() } });
    });
    next = { from, to: ids, reply };
  }
  next.to.add(to);
  return next.reply;
};

/** How far a place is from another one, in whole units; 0 for the same city, and until it is known. */
export const useDistance = (from: string | undefined, to: string): number => {
  const { data } = useApiQuery(
    listDistances,
    from ? { params: { id: from }, query: { to } } : null,
    from ? { fetcher: () => readDistances(from, to), freshMs: Infinity } : {},
  );
  return Math.round(data?.[to] ?? 0);
};
