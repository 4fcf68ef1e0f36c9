import type { Channel } from '../../../contract/notification-settings.ts';
import { NOTIFICATION_KINDS, type NotificationKind } from '../../../contract/notifications.ts';
import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import type { Actor } from '../../policy.ts';
import { recordAudit } from '../audit/repository.ts';
import { readBrand } from '../brand/repository.ts';
import { lockActiveAdmin } from '../users/active-actor.ts';
import { deliverMail, deliverPush } from './channels.ts';
import { type DeliveryStatus, findDelivery, insertDeliveries } from './delivery-repository.ts';
import { findReachedUsers } from './dispatch.ts';
import { insertWithoutDelivery } from './repository.ts';
import { readNotificationSettings } from './settings-repository.ts';

/** What only `marketctl` hears. */
const refuse = (message: string) => new AppError('conflict', { message });

export interface TestDelivery {
  notificationId: string;
  channel: Channel;
  status: DeliveryStatus;
  error: string | null;
}

const UNREACHABLE: Readonly<Record<Channel, string>> = {
  email: 'This person has no confirmed address, paused mail, or a mail server refused the address.',
  push: 'This person has no browser with push notifications.',
};

/**
 * Notifies one person through one channel: the notification, its delivery and the attempt are those of every other
 * notification. A dry run (`ctx.db` is a transaction) stops before the attempt.
 * @throws {AppError} forbidden, conflict (mail is off, the person switched the channel off or cannot be reached)
 */
export async function sendTestNotification(
  ctx: AppContext,
  actor: Actor,
  { userId, channel }: { userId: string; channel: Channel },
): Promise<TestDelivery> {
  const notificationId = await inTransaction(ctx.db, async (trx) => {
    await lockActiveAdmin(trx, actor);
    if (channel === 'email' && !ctx.mailer.isEnabled) throw refuse('SMTP_URL is not set: this site sends no mail.');
    const kind = await findKind(trx, userId, channel);
    const reached = await findReachedUsers(trx, ctx, [userId]);
    if (!reached[channel].has(userId)) throw refuse(UNREACHABLE[channel]);
    const { name: site } = await readBrand(trx, ctx.config);
    const id = await insertWithoutDelivery(trx, { userId, kind, params: { is: 'test', site } });
    await insertDeliveries(trx, [{ notificationId: id, channel }]);
    await recordAudit(trx, actor, { action: 'notification.test', target: ['user', userId], details: { channel } });
    return id;
  });
  if (!ctx.db.isTransaction) await attempt(ctx, notificationId, channel);
  const { status, error } = (await findDelivery(ctx.db, { notificationId, channel }))!;
  return { notificationId, channel, status, error };
}

/** A notice, or if the person gets no notices through this channel, a kind that they do get. */
async function findKind(trx: Trx, userId: string, channel: Channel): Promise<NotificationKind> {
  const settings = (await readNotificationSettings(trx, [userId])).get(userId)!;
  const kind = (['notice', ...NOTIFICATION_KINDS] as const).find((one) => settings[one][channel]);
  if (kind === undefined) throw refuse(`This person switched all notifications by ${channel} off.`);
  return kind;
}

const attempt = (ctx: AppContext, notificationId: string, channel: Channel): Promise<void> =>
  channel === 'push'
    ? deliverPush(ctx, notificationId)
    : deliverMail(ctx, notificationId, { lane: 'all', signal: new AbortController().signal });
