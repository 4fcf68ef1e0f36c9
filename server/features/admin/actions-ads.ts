import type { App } from '../../app.ts';
import type { Trx } from '../../db/connect.ts';
import type { AdRow } from '../../db/tables.ts';
import { inTransaction } from '../../db/transaction.ts';
import { notFound } from '../../errors.ts';
import type { Actor } from '../../policy.ts';
import { buryAds } from '../ads/bury-store.ts';
import { setAdState } from '../ads/state-store.ts';
import { lockAd } from '../ads/store.ts';
import { recordAudit } from '../audit/store.ts';
import { readSettings } from '../settings/store.ts';
import { holdAdmin } from '../users/standing.ts';
import type { Origin } from './actions-users.ts';

const lockAnyAd = async (trx: Trx, actor: Actor, id: string): Promise<AdRow> => {
  await holdAdmin(trx, actor);
  const ad = await lockAd(trx, id);
  if (ad === undefined || ad.state === 'deleted') throw notFound('Ad not found');
  return ad;
};

export interface StatusChange {
  status: 'active' | 'inactive';
  /** The owner sees it. */
  reason?: string | undefined;
}

/** Approves or activates an ad (its time begins anew if it was not on the market), or rejects or deactivates it. */
export const setAdStatus = (
  app: App,
  actor: Actor,
  id: string,
  { status, reason }: StatusChange,
  { requestId }: Origin = {},
): Promise<void> =>
  inTransaction(app.db, async (trx) => {
    const ad = await lockAnyAd(trx, actor, id);
    const { maxAdDurationDays } = await readSettings(trx);
    await setAdState(trx, ad, { status, reason: reason || null, days: maxAdDurationDays || null });
    const verb = status === 'active' ? 'approve' : 'reject';
    const action = ad.state === 'pending' ? `ad.${verb}` : `ad.${status === 'active' ? 'activate' : 'deactivate'}`;
    const details = { before: ad.state, after: status, reason: reason || null };
    await recordAudit(trx, actor, { action, targetType: 'ad', targetId: id, details, requestId });
  });

/** Deletes any ad. */
export const deleteAnyAd = (app: App, actor: Actor, id: string, { requestId, reason }: Origin = {}): Promise<void> =>
  inTransaction(app.db, async (trx) => {
    const ad = await lockAnyAd(trx, actor, id);
    await buryAds(trx, { id });
    const details = { userId: ad.user_id, state: ad.state, reason };
    await recordAudit(trx, actor, { action: 'ad.delete', targetType: 'ad', targetId: id, details, requestId });
  });
