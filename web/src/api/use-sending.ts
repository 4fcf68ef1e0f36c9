import useSWR from 'swr';

/**
 * Sends something that a page opened meanwhile must know to be on its way. It counts, for that page may send, too, before
 * the first answer comes. The cache holds the count: it outlives the page that sends, but not a reload, which may have taken
 * the request along.
 */
export const useInFlightCount = (what: string) => {
  const { data: onTheirWay = 0, mutate } = useSWR<number>(`sending ${what}`, null);
  // The end of a session begins anew at nothing, whatever is on its way.
  const add = (change: number) => mutate((now = 0) => Math.max(now + change, 0), { revalidate: false });
  const send = async <Sent>(work: () => Promise<Sent>): Promise<Sent> => {
    await add(1);
    try {
      return await work();
    } finally {
      await add(-1);
    }
  };
  return { isSending: onTheirWay > 0, send };
};
