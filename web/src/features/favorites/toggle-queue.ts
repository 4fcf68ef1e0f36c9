/** What became of a run of clicks on one heart. */
export interface Outcome {
  isFavorited: boolean;
  postedToX: boolean;
}

interface Pending {
  wanted: boolean;
  actual: boolean;
}

/**
 * The server's call is a blind toggle, so quick clicks must not overtake one another: per ad one call runs at a time,
 * and clicks meanwhile only change what is wanted when it is done. Answers the outcome, or undefined to the clicks that
 * an earlier one takes care of.
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
        // Another tab may have toggled in between: the server's word is what counts.
        outcome = { isFavorited: reply.isFavorited, postedToX: outcome.postedToX || reply.postedToX };
        pending.actual = reply.isFavorited;
      }
      return outcome;
    } finally {
      running.delete(adId);
    }
  };
};
