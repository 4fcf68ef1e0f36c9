import { setTimeout as sleep } from 'node:timers/promises';
import type { AppContext } from '../../app-context.ts';
import { MailError } from '../../integrations/mail/mail.ts';
import { findUsableAddresses } from './address-repository.ts';
import { switchOffAddress } from './addresses.ts';
import { type ChannelWork, deliver, findSkipReason, type Outcome } from './delivery.ts';
import { type DeliveryRow, findDelivery, type MailLane, takeMailSlot } from './delivery-repository.ts';
import { buildNotificationMail } from './notification-mail.ts';

interface MailOptions {
  lane: MailLane;
  signal: AbortSignal;
}

/** Mails a notification at least once: after a crash it is sent again with the same Message-ID. */
export async function deliverMail(ctx: AppContext, notificationId: string, options: MailOptions): Promise<void> {
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
  send: (ctx, row, address) =>
    ctx.mailer.send(buildNotificationMail(ctx, row, address)).then(
      () => ({ status: 'sent' }),
      (error: unknown) => {
        if (!(error instanceof MailError)) throw error;
        // not the words of the mail server, which may name the receiver
        const { code, command, responseCode } = error.cause as Record<string, unknown>;
        ctx.log.warn({ notificationId: row.notificationId, code, command, responseCode }, 'a mail was not accepted');
        return toOutcome(error, row, address);
      },
    ),
};

const toOutcome = ({ failure, message: error }: MailError, { user_id }: DeliveryRow, address: string): Outcome => {
  if (failure === 'temporary') return { status: 'retried', error };
  if (failure === 'message') return { status: 'failed', error };
  return { status: 'failed', error, inSameTransaction: (trx) => switchOffAddress(trx, user_id, address, error) };
};

/**
 * Waits for the next moment of MAIL_PER_SECOND, which all replicas share. Mail to many people also waits for a moment of
 * its own lane, which has half as many.
 */
async function waitForMailSlot({ db, config }: AppContext, { lane, signal }: MailOptions): Promise<void> {
  const gapMs = 1000 / config.mailPerSecond;
  const wait = async (ms: number) => {
    if (ms > 0) await sleep(ms, undefined, { signal });
  };
  if (lane === 'bulk') await wait(await takeMailSlot(db, 'bulk', 2 * gapMs));
  await wait(await takeMailSlot(db, 'all', gapMs));
}
