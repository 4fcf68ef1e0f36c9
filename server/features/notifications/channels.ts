import type { AppContext } from '../../app-context.ts';
import { MailError } from '../../integrations/mail/mail.ts';
import { readTextsOf } from '../../lib/catalogs.ts';
import { readSite } from '../brand/site.ts';
import { findUsersWithPush } from '../push/repository.ts';
import { type PushResult, sendPush } from '../push/send.ts';
import { findUsableAddresses } from './address-repository.ts';
import { switchOffAddress } from './addresses.ts';
import { type ChannelWork, deliver, findSkipReason, type Outcome } from './delivery.ts';
import { type DeliveryRow, findDelivery } from './delivery-repository.ts';
import { logMailFailure, type MailSlotOptions, waitForMailSlot } from './mail-slots.ts';
import { readNews } from './news.ts';
import { buildNotificationMail } from './notification-mail.ts';

/** Mails a notification at least once: after a crash it is sent again with the same Message-ID. */
export async function deliverMail(ctx: AppContext, notificationId: string, options: MailSlotOptions): Promise<void> {
  const known = await findDelivery(ctx.db, { notificationId, channel: 'email' });
  if (known === undefined) return;
  // what is over needs no slot
  const isOpen = known.status === 'waiting' || known.status === 'sending';
  if (isOpen && ctx.mailer.isEnabled && findSkipReason(known) === undefined) await waitForMailSlot(ctx, options);
  await deliver(ctx, notificationId, MAIL);
}

const MAIL: ChannelWork<string> = {
  channel: 'email',
  async findTarget(trx, { config, mailer }, { user_id }) {
    if (!mailer.isEnabled) return { skipped: 'mail is off' };
    const address = (await findUsableAddresses(trx, [user_id], config)).get(user_id);
    return address === undefined ? { skipped: 'no address' } : { target: address };
  },
  async send(ctx, row, address) {
    const texts = readTextsOf(row, ctx.config);
    const mail = buildNotificationMail({ ...(await readSite(ctx)), clock: ctx.clock, texts }, row, address);
    return ctx.mailer.send(mail).then(
      () => ({ status: 'sent' }),
      (error: unknown) => {
        if (!(error instanceof MailError)) throw error;
        logMailFailure(ctx, error, { notificationId: row.notificationId });
        return toMailOutcome(error, row, address);
      },
    );
  },
};

const toMailOutcome = ({ failure, message: error }: MailError, { user_id }: DeliveryRow, address: string): Outcome => {
  if (failure === 'temporary') return { status: 'retried', error };
  if (failure === 'message') return { status: 'failed', error };
  return { status: 'failed', error, inSameTransaction: (trx) => switchOffAddress(trx, user_id, address, error) };
};

/** Pushes a notification to the browsers of its receiver, to each at most once, also after a crash. */
export const deliverPush = (ctx: AppContext, notificationId: string): Promise<void> =>
  deliver(ctx, notificationId, PUSH);

const PUSH: ChannelWork<undefined> = {
  channel: 'push',
  findTarget: async (trx, _ctx, { user_id }) =>
    (await findUsersWithPush(trx, [user_id])).has(user_id) ? { target: undefined } : { skipped: 'no browser' },
  async send(ctx, row) {
    const words = readNews(row, readTextsOf(row, ctx.config));
    return toPushOutcome(row, await sendPush(ctx, { ...row, ...words, id: row.notificationId }));
  },
};

const toPushOutcome = ({ attempts }: DeliveryRow, { sent, waiting, failed, gone, error }: PushResult): Outcome => {
  if (waiting > 0) return { status: 'retried', error: error ?? 'the push service did not accept it' };
  if (sent > 0) return { status: 'sent' };
  if (failed > 0) return { status: 'failed', error: error ?? 'the push service refused it' };
  if (gone > 0 || attempts === 1) return { status: 'skipped', error: 'no browser' };
  // a push that was interrupted may have arrived, so no browser is tried again
  return { status: 'failed', error: 'interrupted' };
};
