import type { Currency } from '../../../contract/money.ts';
import type { Trx } from '../../db/pools.ts';
import { hashContent } from '../ads/columns.ts';
import { listAdsByIds } from '../ads/repository.ts';
import { BATCH, type Judged, listJudgedIds, renameJudged } from './repository.ts';

type Decimals = Pick<Currency, 'decimals'>;

/** What ads are called whose content staff have judged, or judge now: their price is a part of it. */
const nameContents = async (trx: Trx, ids: readonly string[], { decimals }: Decimals): Promise<Map<string, string>> => {
  const ads = await listAdsByIds(trx, ids);
  return new Map(
    ads.map((ad) => {
      const images = ad.images.map(({ sha256 }) => sha256);
      return [ad.id, hashContent(ad, images, decimals).toString('hex')];
    }),
  );
};

/**
 * Converts the prices of the next ads by `convert`. What staff found fine stays so, and the ad of an open case does not count as edited:
 * only its price is written in another currency.
 */
export const keepJudged = async <R>(
  trx: Trx,
  after: string,
  [from, to]: readonly [Decimals, Decimals],
  convert: () => Promise<R>,
): Promise<R> => {
  const ids = await listJudgedIds(trx, after, BATCH);
  const before = await nameContents(trx, ids, from);
  const result = await convert();
  const now = await nameContents(trx, ids, to);
  const renamed = ids.flatMap((id): Judged[] => {
    const [former, present] = [before.get(id), now.get(id)];
    return former && present ? [{ ad_id: id, former, present }] : [];
  });
  if (renamed.length > 0) await renameJudged(trx, renamed);
  return result;
};
