import type { sendContact as endpoint } from '../../../contract/contact.ts';
import type { BodyOf } from '../../../contract/endpoint.ts';
import { speaking, t } from '../../../contract/i18n.ts';
import type { AppContext } from '../../app-context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { enqueue, type JobPayloads, type JobRun } from '../../jobs/queue.ts';
import { readTextsOf } from '../../lib/catalogs.ts';
import { type Actor, getUserId } from '../../policy.ts';
import { formatMoment } from '../../times.ts';
import { type AuditContext, recordAudit } from '../audit/repository.ts';
import { readBrand } from '../brand/repository.ts';
import { sendMailOfJob, waitForMailSlot } from '../notifications/mail-slots.ts';
import { lockActiveAdmin } from '../users/active-actor.ts';
import { deleteContactRow, findContact, insertContact, markMailed } from './repository.ts';

/**
 * Stores a message of the contact form and mails it if mail is configured. Silently drops a message with the honeypot
 * field.
 */
export const sendContact = async (
  ctx: AppContext,
  actor: Actor,
  { website, ...message }: BodyOf<typeof endpoint>,
): Promise<void> => {
  if (website) return;
  await inTransaction(ctx.db, async (trx) => {
    const contactMessageId = await insertContact(trx, { ...message, user_id: getUserId(actor) });
    if (ctx.mailer.isEnabled) await enqueue(trx, 'mail-contact', { contactMessageId });
  });
};

/** Deletes a message of the contact form on its author's request. @throws {AppError} not_found */
export const deleteContact = (
  ctx: AppContext,
  actor: Actor,
  id: string,
  { reason }: AuditContext = {},
): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveAdmin(trx, actor);
    if (!(await deleteContactRow(trx, id))) throw new AppError('not_found', { message: `There is no message ${id}` });
    await recordAudit(trx, actor, { action: 'contact.delete', target: ['contact', id], details: { reason } });
  });

/** Mails a stored message to CONTACT_EMAIL, once. A message that the mail server refuses for good stays stored only. */
export const mailContact = async (
  ctx: AppContext,
  { contactMessageId }: JobPayloads['mail-contact'],
  { signal }: Pick<JobRun, 'signal'>,
): Promise<void> => {
  const { db, config } = ctx;
  if ((await findContact(db, contactMessageId))?.mailed_at !== null) return;
  await waitForMailSlot(ctx, { lane: 'all', signal });
  const row = await findContact(db, contactMessageId);
  if (row === undefined) return;
  const { name } = await readBrand(db, config);
  const { name: writer, email, created_at: time } = row;
  const signature = speaking(readTextsOf(null, config), () =>
    t('mails.byContactForm', { name: writer, email, time: formatMoment(time) }),
  );
  const mail = {
    from: name,
    to: config.contactEmail,
    replyTo: { name: row.name, address: row.email },
    subject: `[${name}] ${row.subject}`,
    text: `${row.message}\n\n-- \n${signature}\n`,
  };
  const refusal = await sendMailOfJob(ctx, mail, { contactMessageId });
  if (refusal === undefined) await markMailed(db, row.id);
  // the operator can correct the address
  else if (refusal.failure === 'recipient') throw new Error('The mail server refuses CONTACT_EMAIL');
};
