import type { Channel } from '../../../contract/notification-settings.ts';
import { isToMany } from '../../../contract/notifications.ts';
import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import { inTransaction } from '../../db/transaction.ts';
import { MAIL_TIMEOUT_S } from '../../integrations/mail/mail.ts';
import { enqueueAll, type JobName } from '../../jobs/queue.ts';
import { lockPresentUsers } from '../users/repository.ts';
import {
  type DeliveryKey,
  type DeliveryRow,
  listLostDeliveries,
  lockDelivery,
  type OpenDelivery,
  updateDelivery,
} from './delivery-repository.ts';
import { readNotificationSettings } from './settings-repository.ts';

/*
 * What leaves the site: a row of notification_deliveries for each notification and channel, and a job for each row that
 * waits. dispatch.ts inserts both; channels.ts sends.
 *
 *   attempt  waiting → skipped   it was read, or its receiver may get it no longer or does not want it
 *            waiting → sending   committed before the other server is called
 *   outcome  sending → sent, skipped, failed, or waiting again for a later attempt
 *   sweep    waiting or sending without a job: another job
 */

/** Seconds until the next attempt, by the number of attempts before it. */
const RETRY_AFTER_S = [30, 2 * 60, 10 * 60, 3600, 6 * 3600] as const;
export const MAX_ATTEMPTS = RETRY_AFTER_S.length + 1;
/** Longer than any attempt: until then, another job for the same row waits. */
const LEASE_S = MAIL_TIMEOUT_S + 60;

/** Priority of jobs about a notice to everyone: all others go first. */
export const TO_EVERYONE = 100;

type DeliveryJob = JobName & ('deliver-push' | `deliver-${string}mail`);

const getJobName = ({ channel, kind, is_to_everyone }: OpenDelivery): DeliveryJob => {
  if (channel === 'push') return 'deliver-push';
  return is_to_everyone || isToMany(kind) ? 'deliver-bulk-mail' : 'deliver-mail';
};

/** One waiting job per delivery, however often this is called. */
export async function enqueueDeliveries(
  trx: Trx,
  deliveries: readonly OpenDelivery[],
  { runAt }: { runAt?: Date } = {},
): Promise<void> {
  for (const [name, group] of Map.groupBy(deliveries, getJobName))
    await enqueueAll(
      trx,
      name,
      group.map(({ notificationId, channel, is_to_everyone }) => ({
        payload: { notificationId },
        key: `deliver-${channel}-${notificationId}`,
        priority: is_to_everyone ? TO_EVERYONE : 0,
        ...(runAt && { runAt }),
      })),
    );
}

/** What a channel found out about one attempt. `retried`: another attempt follows if one is left. */
export type Outcome =
  | { status: 'sent' }
  | { status: 'skipped'; error: string }
  | { status: 'retried'; error: string }
  /** `inSameTransaction`: what else this changes. */
  | { status: 'failed'; error: string; inSameTransaction?: (trx: Trx) => Promise<void> };

/** How one channel reaches the receiver. */
export interface ChannelWork<Target> {
  channel: Channel;
  /** Returns where to send, or why this is not possible. */
  findTarget(trx: Trx, ctx: AppContext, row: DeliveryRow): Promise<{ target: Target } | { skipped: string }>;
  /** Calls the other server. What it throws leaves the row as it is, and the job runs again. */
  send(ctx: AppContext, row: DeliveryRow, target: Target): Promise<Outcome>;
}

/** Why this delivery must not be sent, whatever its channel. A decision also goes to those it shuts out. */
export const findSkipReason = (row: DeliveryRow): string | undefined => {
  if (row.is_deleted) return 'account deleted';
  if (row.is_read) return 'read';
  if (row.is_shut_out && row.kind !== 'decision') return 'account suspended';
  if (row.is_blocked) return 'blocked';
  return row.is_source_gone ? 'its cause is suspended or deleted' : undefined;
};

const countOutcome = ({ metrics, log }: AppContext, key: DeliveryKey, status: Outcome['status'] | undefined): void => {
  if (status === undefined) return;
  metrics.deliveryEnded(key.channel, status);
  if (status === 'failed') log.warn({ ...key }, 'a notification could not be delivered');
};

/**
 * Sends a notification through one channel, and again after 30 seconds, 2 minutes, 10 minutes, 1 hour and 6 hours if the
 * other server does not take it.
 */
export async function deliver<Target>(
  ctx: AppContext,
  notificationId: string,
  work: ChannelWork<Target>,
): Promise<void> {
  const key: DeliveryKey = { notificationId, channel: work.channel };
  const begun = await inTransaction(ctx.db, (trx) => beginAttempt(trx, ctx, key, work));
  if ('ended' in begun) return countOutcome(ctx, key, begun.ended);
  const outcome = await work.send(ctx, begun.row, begun.target);
  const ended = await inTransaction(ctx.db, (trx) => recordOutcome(trx, ctx, begun.row, outcome));
  countOutcome(ctx, key, ended);
}

type Attempt<Target> = { row: DeliveryRow; target: Target } | { ended: Outcome['status'] | undefined };

async function beginAttempt<Target>(
  trx: Trx,
  ctx: AppContext,
  key: DeliveryKey,
  work: ChannelWork<Target>,
): Promise<Attempt<Target>> {
  const row = await lockOpenDelivery(trx, ctx, key);
  if (!row) return { ended: undefined };
  const found = await findTarget(trx, ctx, row, work);
  if ('skipped' in found) {
    await updateDelivery(trx, key, { status: 'skipped', error: found.skipped });
    return { ended: 'skipped' };
  }
  if (row.attempts >= MAX_ATTEMPTS) {
    await updateDelivery(trx, key, { status: 'failed', error: 'interrupted' });
    return { ended: 'failed' };
  }
  const attempts = row.attempts + 1;
  await updateDelivery(trx, key, { status: 'sending', attempts });
  return { row: { ...row, status: 'sending', attempts }, target: found.target };
}

/** Locks the delivery. Undefined if it is over, or if another attempt may still run: then another job follows that. */
async function lockOpenDelivery(trx: Trx, { clock }: AppContext, key: DeliveryKey): Promise<DeliveryRow | undefined> {
  const row = await lockDelivery(trx, key);
  if (row?.status === 'waiting') return row;
  if (row?.status !== 'sending') return undefined;
  if (row.age >= LEASE_S) return row;
  await enqueueDeliveries(trx, [row], { runAt: new Date(clock.now().valueOf() + (LEASE_S - row.age) * 1000) });
  return undefined;
}

async function findTarget<Target>(trx: Trx, ctx: AppContext, row: DeliveryRow, work: ChannelWork<Target>) {
  const skipped = findSkipReason(row);
  if (skipped !== undefined) return { skipped };
  const settings = await readNotificationSettings(trx, [row.user_id]);
  if (!settings.get(row.user_id)![row.kind][work.channel]) return { skipped: 'switched off' };
  return work.findTarget(trx, ctx, row);
}

async function recordOutcome(
  trx: Trx,
  ctx: AppContext,
  row: DeliveryRow,
  outcome: Outcome,
): Promise<Outcome['status'] | undefined> {
  // the user before the delivery, as the deletion of an account does
  if (outcome.status === 'failed' && outcome.inSameTransaction) await lockPresentUsers(trx, [row.user_id]);
  const now = await lockDelivery(trx, row);
  // a later attempt began, or the notification was deleted: this attempt has no effect
  if (now?.status !== 'sending' || now.attempts !== row.attempts) return undefined;
  if (outcome.status === 'failed') await outcome.inSameTransaction?.(trx);
  if (outcome.status !== 'retried') {
    await updateDelivery(trx, row, outcome);
    return outcome.status;
  }
  const seconds = RETRY_AFTER_S[row.attempts - 1];
  if (seconds === undefined) {
    await updateDelivery(trx, row, { status: 'failed', error: outcome.error });
    return 'failed';
  }
  const nextAttemptAt = new Date(ctx.clock.now().valueOf() + seconds * 1000);
  await updateDelivery(trx, row, { status: 'waiting', error: outcome.error, nextAttemptAt });
  await enqueueDeliveries(trx, [row], { runAt: nextAttemptAt });
  return 'retried';
}

const LOST_AFTER_S = 3 * 60;
/** Several times the interval of the sweep. A late sweep finds the rest within the next hour. */
const SWEEP_SPAN_S = 5 * 60;
const SWEEP_BATCH = 500;

/** Enqueues deliveries that have no job any more, such as one that has used up its attempts. */
export const sweepDeliveries = (ctx: AppContext): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    const lost = await listLostDeliveries(trx, { seconds: LOST_AFTER_S, span: SWEEP_SPAN_S, limit: SWEEP_BATCH });
    if (lost.length === 0) return;
    ctx.log.warn({ deliveries: lost.length }, 'deliveries without a job were enqueued again');
    await enqueueDeliveries(trx, lost);
  });
