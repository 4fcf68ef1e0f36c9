import { randomUUID } from 'node:crypto';
import { speaking, t } from '../../../contract/i18n.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { AppContext } from '../../app-context.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { EmailMessage } from '../../integrations/mail/mail.ts';
import type { JobPayloads, JobRun } from '../../jobs/queue.ts';
import { readTextsOf } from '../../lib/catalogs.ts';
import { readSite } from '../brand/site.ts';
import { findAddress, getOpeningAddress } from '../notifications/address-repository.ts';
import { buildSystemMail, type MailContext } from '../notifications/mail-layout.ts';
import { sendMailOfJob, waitForMailSlot } from '../notifications/mail-slots.ts';
import { findUser } from '../users/repository.ts';
import { createLink } from './recovery.ts';
import { listUsersByAddress } from './recovery-repository.ts';

interface Recovery {
  to: string;
  /** Whose account it is: one address may have several. */
  name: string;
  link: string;
}

/** The mail with the link that signs in. */
export const buildRecoveryMail = (ctx: Omit<MailContext, 'clock'>, { to, name, link }: Recovery): EmailMessage =>
  speaking(ctx.texts, () => {
    const site = ctx.config.siteName;
    const title = t('mails.signInTo', { site });
    return buildSystemMail(ctx, {
      to,
      subject: title,
      id: `recovery-${randomUUID()}`,
      title,
      body: [t('mails.recoveryAsked', { name }), t('mails.recoveryLasts', { count: LIMITS.recoveryLinkMinutes })].join(
        '\n\n',
      ),
      actions: [{ label: t('mails.signIn'), url: link }],
      reason: t('mails.becauseRecovery', { site }),
    });
  });

/** Mails a link to each account whose confirmed address this is, also if the person switched all mail off. */
export async function mailRecovery(
  ctx: AppContext,
  { email }: JobPayloads['mail-recovery'],
  { signal }: Pick<JobRun, 'signal'>,
): Promise<void> {
  if (!ctx.mailer.isEnabled) return;
  for (const userId of await listUsersByAddress(ctx.db, email)) {
    const row = await findAddress(ctx.db, userId);
    const to = row && getOpeningAddress(row, ctx.config);
    const user = to?.toLowerCase() === email.toLowerCase() ? await findUser(ctx.db, userId) : undefined;
    if (!to || to === row.refused_address || !user || user.banned_at !== null) continue;
    // the time of the link begins when the mail can go
    await waitForMailSlot(ctx, { lane: 'all', signal });
    const link = await inTransaction(ctx.db, (trx) => createLink(trx, ctx, userId, to));
    const name = user.username === null ? user.display_name : `@${user.username}`;
    const texts = readTextsOf(row, ctx.config);
    const mail = buildRecoveryMail({ ...(await readSite(ctx)), texts }, { to, name, link });
    await sendMailOfJob(ctx, mail, { userId });
  }
}
