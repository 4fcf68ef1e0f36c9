import type { Trx } from '../../db/connect.ts';
import type { AdRow } from '../../db/tables.ts';
import { inDays } from './store.ts';

export interface StateDecision {
  status: 'active' | 'inactive';
  reason: string | null;
  /** Days until it expires when it comes onto the market; null for never. */
  days: number | null;
}

/** Writes what an administrator decided about an ad. Only such an approval counts towards its seller's trust. */
export const setAdState = async (trx: Trx, ad: AdRow, { status, reason, days }: StateDecision): Promise<void> => {
  const wasOn = ad.state === 'active' && ad.listed;
  await trx('ads')
    .where({ id: ad.id })
    .update({
      state: status,
      state_reason: status === 'active' ? null : reason,
      is_approved: status === 'active',
      taken_down: status === 'inactive',
      updated_at: trx.fn.now(),
      ...(status === 'active' && !wasOn && { expires_at: inDays(trx, days) }),
    });
};
