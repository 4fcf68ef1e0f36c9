import type { Db, Trx } from '../../db/pools.ts';
import type { AdRow } from '../../db/rows.ts';
import { isSetAside } from '../../db/set-aside.ts';
import { selectShutOut } from '../users/repository.ts';

export type PublishedAd = Pick<AdRow, 'id' | 'user_id'>;

/** Whether lists show the ad `a` of the seller `u`. */
export const IS_PUBLIC = `a.listed and not a.is_sold and u.deleted_at is null and not ${selectShutOut('u')}`;

/** Whether only one transaction at a time gets true; for the others the answer comes at once. */
export const tryLockPublications = async (trx: Trx): Promise<boolean> => {
  const { rows } = await trx.raw<{ rows: { locked: boolean }[] }>(
    "select pg_try_advisory_xact_lock(hashtext('match new ads')) as locked",
  );
  return rows[0]!.locked;
};

export const isPublicationDue = async (db: Db): Promise<boolean> =>
  (await db('ad_publications')
    .where({ state: 'due' })
    .whereRaw(`not ${isSetAside('publications', 'ad_id')}`)
    .first('ad_id')) !== undefined;

/**
 * Locks at most `limit` ads whose publication was not handled, the oldest first. Skips ads that another transaction is
 * changing, or whose seller's row.
 */
export const lockDuePublications = async (trx: Trx, limit: number): Promise<string[]> => {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `select a.id from ad_publications p join ads a on a.id = p.ad_id join users u on u.id = a.user_id where p.state = 'due'
       and not ${isSetAside('publications', 'p.ad_id')}
     order by p.public_at, p.ad_id limit ?
     for update of p skip locked for key share of a skip locked for key share of u skip locked`,
    [limit],
  );
  return rows.map(({ id }) => id);
};

/** Ends the publication of locked ads. Those that left the lists meanwhile wait until they are back. Returns the others. */
export const finishPublications = async (trx: Trx, ids: readonly string[]): Promise<PublishedAd[]> => {
  const { rows } = await trx.raw<{ rows: (PublishedAd & { state: string })[] }>(
    `update ad_publications p set state = case when a.is_sold or (${IS_PUBLIC}) then 'matched' else 'hidden' end
     from ads a join users u on u.id = a.user_id where a.id = p.ad_id and p.ad_id = any(?::bigint[])
     returning a.id, a.user_id, p.state`,
    [[...ids]],
  );
  return rows.filter(({ state }) => state === 'matched').map(({ id, user_id }) => ({ id, user_id }));
};
