import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import { enqueue } from '../../jobs/queue.ts';
import { findAddress, getConfirmedAddress } from './address-repository.ts';
import { insertWithoutDelivery } from './repository.ts';

export interface AccessNews {
  userId: string;
  title: string;
  body: string;
}

/**
 * Tells the person by notification, and by mail whatever they chose to get: a thief may have chosen for them. The mail goes to the
 * address of now, or to `to`, and to the one that is confirmed when it is sent.
 */
export async function tellOfAccess(
  trx: Trx,
  { config }: Pick<AppContext, 'config'>,
  news: AccessNews,
  to?: string | null,
): Promise<void> {
  const row = to === undefined ? await findAddress(trx, news.userId) : undefined;
  const notificationId = await insertWithoutDelivery(trx, { ...news, kind: 'notice', url: '/preferences#passkeys' });
  await enqueue(trx, 'mail-access-news', { notificationId, to: to ?? (row ? getConfirmedAddress(row, config) : null) });
}
