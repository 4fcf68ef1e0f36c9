import { speaking, t } from '../../../contract/i18n.ts';
import type { AppContext } from '../../app-context.ts';
import type { EmailMessage } from '../../integrations/mail/mail.ts';
import type { JobPayloads, JobRun } from '../../jobs/queue.ts';
import { readTextsOf } from '../../lib/catalogs.ts';
import { readSite } from '../brand/site.ts';
import { findAddress, getConfirmedAddress } from '../notifications/address-repository.ts';
import { buildSystemMail, type MailContext } from '../notifications/mail-layout.ts';
import { sendMailOfJob, waitForMailSlot } from '../notifications/mail-slots.ts';
import { tell } from '../notifications/news.ts';
import { findNotification, type OwnedNotification } from '../notifications/repository.ts';

/** The mail about ways in that were added or removed. */
export const buildNewsMail = (
  ctx: Omit<MailContext, 'clock'>,
  { id, url, ...news }: OwnedNotification,
  to: string,
): EmailMessage =>
  speaking(ctx.texts, () => {
    const { siteName, publicUrl } = ctx.config;
    const { title, body } = tell(news);
    return buildSystemMail(ctx, {
      to,
      subject: title,
      id: `access-${id}`,
      title,
      body,
      actions: [
        {
          label: t(url === '/preferences#passkeys' ? 'mails.viewPasskeys' : 'mails.viewTokens'),
          url: `${publicUrl}${url}`,
        },
      ],
      reason: t('mails.becauseAccess', { site: siteName }),
    });
  });

/**
 * Mails a notification about ways in to the address that was confirmed when it happened and to the one of now, also if the person
 * switched all mail off.
 */
export async function mailAccessNews(
  ctx: AppContext,
  { notificationId, to }: JobPayloads['mail-access-news'],
  { signal }: Pick<JobRun, 'signal'>,
): Promise<void> {
  if (!ctx.mailer.isEnabled) return;
  const news = await findNotification(ctx.db, notificationId);
  const row = news && (await findAddress(ctx.db, news.user_id));
  if (!news || !row) return;
  const texts = readTextsOf(row, ctx.config);
  const addresses = new Set([to, getConfirmedAddress(row, ctx.config)]);
  for (const address of addresses) {
    if (!address || address === row.refused_address) continue;
    await waitForMailSlot(ctx, { lane: 'all', signal });
    const mail = buildNewsMail({ ...(await readSite(ctx)), texts }, news, address);
    await sendMailOfJob(ctx, mail, { userId: news.user_id, notificationId });
  }
}
