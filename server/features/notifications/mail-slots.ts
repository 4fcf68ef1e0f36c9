import { setTimeout as sleep } from 'node:timers/promises';
import type { AppContext } from '../../app-context.ts';
import { type EmailMessage, MailError } from '../../integrations/mail/mail.ts';
import { type MailLane, reserveMailSlot } from './delivery-repository.ts';

export interface MailSlotOptions {
  lane: MailLane;
  signal: AbortSignal;
}

/**
 * Waits for the next moment of MAIL_PER_SECOND, which all replicas share. Mail to many people also waits for a moment of
 * its own lane, which has half as many.
 */
export async function waitForMailSlot({ db, config }: AppContext, { lane, signal }: MailSlotOptions): Promise<void> {
  const gapMs = 1000 / config.mailPerSecond;
  const waitIn = async (slots: MailLane, slotGapMs: number) => {
    for (let isReserved = false; !isReserved; ) {
      const slot = await reserveMailSlot(db, slots, slotGapMs);
      if (slot.waitMs > 0) await sleep(slot.waitMs, undefined, { signal });
      isReserved = slot.isReserved;
    }
  };
  if (lane === 'bulk') await waitIn('bulk', 2 * gapMs);
  await waitIn('all', gapMs);
}

/** Logs the codes of a failure, not the words of the mail server, which may name the receiver. `about`: ids. */
export const logMailFailure = ({ log }: AppContext, { cause }: MailError, about: Record<string, string>): void => {
  const { code: mailError, command, responseCode: smtpReply } = cause as Record<string, unknown>;
  log.warn({ ...about, mailError, command, smtpReply }, 'a mail was not accepted');
};

/**
 * Sends a mail that is no delivery, for a job. Returns the refusal if the mail server refused it for good; `about`: ids
 * for the log. @throws {Error} without the words of the mail server, after a temporary failure: the job runs again
 */
export async function sendMailOfJob(
  ctx: AppContext,
  message: EmailMessage,
  about: Record<string, string>,
): Promise<MailError | undefined> {
  try {
    await ctx.mailer.send(message);
    return undefined;
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    logMailFailure(ctx, error, about);
    if (error.failure === 'temporary') throw new Error('The mail server did not accept a mail');
    return error;
  }
}
