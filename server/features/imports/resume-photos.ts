import type { Trx } from '../../db/pools.ts';
import { enqueueAll } from '../../jobs/queue.ts';
import { listAdsWithDuePhotos } from './repository.ts';

/**
 * Enqueues the photos that wait: those of a person when nothing shuts them out any more, or those of all after a restore, because a
 * backup contains no jobs.
 */
export const resumePhotos = async (trx: Trx, userId?: string): Promise<void> => {
  const ids = await listAdsWithDuePhotos(trx, userId);
  if (ids.length > 0)
    await enqueueAll(
      trx,
      'fetch-photos',
      ids.map((adId) => ({ payload: { adId }, key: `photos ${adId}` })),
    );
};
