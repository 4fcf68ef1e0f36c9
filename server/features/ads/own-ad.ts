import type { Trx } from '../../db/connect.ts';
import type { AdRow, UserRow } from '../../db/tables.ts';
import { forbidden, notFound } from '../../errors.ts';
import { mayChangeAd, maySeeAd, type UserActor } from '../../policy.ts';
import { holdActor } from '../users/standing.ts';
import { lockAd } from './store.ts';

/**
 * The actor's row held and their ad locked until the transaction ends (users before ads, everywhere). Another person's ad
 * is forbidden when it is public and does not exist when it is hidden.
 */
export const lockOwnAd = async (trx: Trx, actor: UserActor, id: string): Promise<{ ad: AdRow; owner: UserRow }> => {
  const owner = await holdActor(trx, actor);
  const ad = await lockAd(trx, id);
  if (ad === undefined || !maySeeAd(actor, ad)) throw notFound('Ad not found');
  if (!mayChangeAd(actor, ad)) throw forbidden('This is not your ad');
  return { ad, owner };
};
