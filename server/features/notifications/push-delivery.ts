import type { AppContext } from '../../app-context.ts';
import { findUsersWithPush } from '../push/repository.ts';
import { type PushResult, sendPush } from '../push/send.ts';
import { type ChannelWork, deliver, type Outcome } from './delivery.ts';
import type { DeliveryRow } from './delivery-repository.ts';

/** Pushes a notification to the browsers of its receiver, to each at most once, also after a crash. */
export const deliverPush = (ctx: AppContext, notificationId: string): Promise<void> =>
  deliver(ctx, notificationId, PUSH);

const PUSH: ChannelWork<undefined> = {
  channel: 'push',
  findTarget: async (trx, _ctx, { user_id }) =>
    (await findUsersWithPush(trx, [user_id])).has(user_id) ? { target: undefined } : { skipped: 'no browser' },
  send: async (ctx, row) => toOutcome(row, await sendPush(ctx, { ...row, id: row.notificationId })),
};

const toOutcome = ({ attempts }: DeliveryRow, { sent, waiting, failed, gone, error }: PushResult): Outcome => {
  if (waiting > 0) return { status: 'retried', error: error ?? 'the push service did not accept it' };
  if (sent > 0) return { status: 'sent' };
  if (failed > 0) return { status: 'failed', error: error ?? 'the push service refused it' };
  if (gone > 0 || attempts === 1) return { status: 'skipped', error: 'no browser' };
  // a push that was interrupted may have arrived, so no browser is tried again
  return { status: 'failed', error: 'interrupted' };
};
