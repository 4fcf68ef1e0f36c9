import { CHANNELS, type Channel } from '../../../contract/notification-settings.ts';
import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import { inTransaction } from '../../db/transaction.ts';
import { findUsersWithPush } from '../push/repository.ts';
import { findUsableAddresses } from './address-repository.ts';
import { enqueueDeliveries } from './delivery.ts';
import { type DeliveryKey, insertDeliveries, lockUnreadNotifications } from './delivery-repository.ts';
import { readNotificationSettings } from './settings-repository.ts';

/** Those of the users whom each channel reaches: a confirmed address, or a browser with push notifications. */
export const findReachedUsers = async (
  trx: Trx,
  { config, mailer }: Pick<AppContext, 'config' | 'mailer'>,
  userIds: readonly string[],
): Promise<Record<Channel, Pick<Set<string>, 'has'>>> => ({
  email: mailer.isEnabled ? await findUsableAddresses(trx, userIds, config) : new Set<string>(),
  push: await findUsersWithPush(trx, userIds),
});

/**
 * Decides to which channels new notifications go, and enqueues a job for each of them. A channel that the receiver
 * switched off, or that cannot reach the receiver, gets none. Repeating it adds nothing.
 */
export const dispatchNotifications = (ctx: AppContext, ids: readonly string[]): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    const notifications = await lockUnreadNotifications(trx, ids);
    const userIds = [...new Set(notifications.map(({ user_id }) => user_id))];
    const settings = await readNotificationSettings(trx, userIds);
    const reached = await findReachedUsers(trx, ctx, userIds);
    const wanted = notifications.flatMap(({ id, user_id, kind }) =>
      CHANNELS.filter((channel) => settings.get(user_id)![kind][channel] && reached[channel].has(user_id)).map(
        (channel): DeliveryKey => ({ notificationId: id, channel }),
      ),
    );
    const added = await insertDeliveries(trx, wanted);
    const byId = new Map(notifications.map((row) => [row.id, row]));
    await enqueueDeliveries(
      trx,
      added.map((key) => ({ ...key, ...byId.get(key.notificationId)! })),
    );
  });
