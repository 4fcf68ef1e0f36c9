import type { Trx } from '../../db/pools.ts';
import { operator } from '../../policy.ts';
import { recordAudit } from '../audit/repository.ts';
import { lockAddress, setRefusedAddress } from './address-repository.ts';
import { insertNotifications } from './repository.ts';

const MAX_REFUSAL = 500;

/**
 * Sends no more mail to an address that a mail server refused for good, and tells its user. `reason`: the mail server's
 * words. An address that the user has replaced meanwhile, or that is switched off already, changes nothing.
 */
export const switchOffAddress = async (trx: Trx, userId: string, address: string, reason: string): Promise<void> => {
  const row = await lockAddress(trx, userId);
  if (row === undefined || row.refused_address === address) return;
  const isPending = row.pending_address === address;
  const current = row.uses_x ? row.x_address : row.address;
  if (current !== address && !isPending) return;
  const refusal = [...reason.replace(/\p{C}+/gu, ' ').trim()].slice(0, MAX_REFUSAL).join('') || 'No reason was given';
  await setRefusedAddress(trx, row, { address, refusal });
  await insertNotifications(trx, [
    {
      userId,
      kind: 'notice',
      title: 'Your e-mail address does not accept mail',
      body: `We send no more mail to ${address}, because its mail server refused it. Check the address and enter it again in Notification Settings.`,
      url: '/dashboard#notification-settings',
    },
  ]);
  await recordAudit(trx, operator('mail'), { action: 'email.refuse', targetType: 'user', targetId: userId });
};
