import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import { enqueue } from '../../jobs/queue.ts';
import { findAddress, getConfirmedAddress } from './address-repository.ts';
import type { News } from './news.ts';
import { insertWithoutDelivery } from './repository.ts';

export interface AccessNews {
  userId: string;
  params: Extract<News, { kind: 'notice' }>['params'];
  /** Where to look at it; without one, the passkeys. */
  url?: string;
}

/**
 * Tells the person by notification, and by mail also if they switched mail off: a thief may have done so. The mail goes to the
 * present address, or to `to`, and to the address that is confirmed when it is sent.
 */
export async function tellOfAccess(
  trx: Trx,
  { config }: Pick<AppContext, 'config'>,
  news: AccessNews,
  to?: string | null,
): Promise<void> {
  const row = to === undefined ? await findAddress(trx, news.userId) : undefined;
  const notificationId = await insertWithoutDelivery(trx, {
    url: '/preferences#passkeys',
    ...news,
    kind: 'notice',
  });
  await enqueue(trx, 'mail-access-news', { notificationId, to: to ?? (row ? getConfirmedAddress(row, config) : null) });
}
