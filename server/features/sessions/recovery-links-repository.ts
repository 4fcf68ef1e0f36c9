import { LIMITS } from '../../../contract/limits.ts';
import type { Trx } from '../../db/pools.ts';
import type { Tables } from '../../db/tables.ts';

/** `address`: where it is mailed, null for a link that an operator hands over. */
export const insertLink = async (
  trx: Trx,
  userId: string,
  tokenHash: Buffer,
  address: string | null,
): Promise<void> => {
  await trx.raw(
    `insert into recovery_links (token_hash, user_id, address, expires_at)
     values (?, ?, ?, now() + interval '${LIMITS.recoveryLinkMinutes} minutes')`,
    [tokenHash, userId, address],
  );
};

export type LinkRow = Tables['recovery_links'];

export const lockLink = (trx: Trx, tokenHash: Buffer): Promise<LinkRow | undefined> =>
  trx('recovery_links').where({ token_hash: tokenHash }).forUpdate().first();

/** Marks a link as used. The person's other links end with it. */
export const useLink = async (trx: Trx, { user_id, token_hash }: LinkRow): Promise<void> => {
  await trx('recovery_links').where({ token_hash }).update({ used_at: trx.fn.now() });
  await deleteLinks(trx, user_id);
};

/** Ends the links of this person that were not used. */
export const deleteLinks = async (trx: Trx, userId: string): Promise<void> => {
  await trx('recovery_links').where({ user_id: userId, used_at: null }).delete();
};
