import type { Db } from '../../db/connect.ts';

const BATCH = 500;
/** As the index ads_due has it; in its order, for in order of id the planner would look at every listed ad. */
const DUE = "coalesce(case when is_sold then sold_listed_until else expires_at end, 'infinity')";

/**
 * Lets time have its effect on stored columns: unsold ads past their day expire, sold ones past their days leave the lists.
 * In batches, skipping ads that somebody is writing: they are due again next time. Returns how many changed.
 */
export const refreshListed = async (db: Db): Promise<number> => {
  for (let changed = 0; ; ) {
    const { rowCount } = await db.raw<{ rowCount: number }>(
      `update ads set state = case when is_sold then state else 'expired' end, listed = listed
       where id in (
         select id from ads where listed and ${DUE} <= now() order by ${DUE} limit ${BATCH} for update skip locked)`,
    );
    changed += rowCount;
    if (rowCount < BATCH) return changed;
  }
};
