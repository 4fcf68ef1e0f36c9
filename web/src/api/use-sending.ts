import useSWR from 'swr';

/**
 * Sends something that a page opened meanwhile must know to be on its way. The cache holds it: it outlives the page that
 * sends, but not a reload, which may have taken the request along.
 */
export const useSending = (what: string) => {
  const { data: isSending = false, mutate } = useSWR<boolean>(`sending ${what}`, null);
  const note = (isOnItsWay: boolean) => mutate(isOnItsWay, { revalidate: false });
  const send = async <Sent>(work: () => Promise<Sent>): Promise<Sent> => {
    await note(true);
    try {
      return await work();
    } finally {
      await note(false);
    }
  };
  return { isSending, send };
};
