import type { sendContact as endpoint } from '../../../contract/contact.ts';
import type { BodyOf } from '../../../contract/endpoint.ts';
import type { AppContext } from '../../app-context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { notFound } from '../../errors.ts';
import { enqueue } from '../../jobs/queue.ts';
import type { Actor } from '../../policy.ts';
import { recordAudit } from '../audit/repository.ts';
import { deleteContactRow, insertContact } from './repository.ts';

/**
 * Stores a message of the contact form and has it mailed where mail is configured. Who filled in the field that people do
 * not see is thanked like anybody and forgotten.
 */
export const sendContact = async (
  ctx: AppContext,
  actor: Actor,
  { website, ...message }: BodyOf<typeof endpoint>,
): Promise<void> => {
  if (website) return;
  const userId = actor.kind === 'user' ? actor.id : null;
  await inTransaction(ctx.db, async (trx) => {
    const contactMessageId = await insertContact(trx, { ...message, user_id: userId });
    if (ctx.mailer.isOn) await enqueue(trx, 'mail-contact', { contactMessageId });
  });
};

/** Forgets a message of the contact form: whoever wrote it may ask for that. Throws not_found. */
export const deleteContact = (
  ctx: AppContext,
  actor: Actor,
  id: string,
  { reason }: { reason?: string | undefined } = {},
): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    if (!(await deleteContactRow(trx, id))) throw notFound(`There is no message ${id}`);
    await recordAudit(trx, actor, {
      action: 'contact.delete',
      targetType: 'contact',
      targetId: id,
      details: { reason },
    });
  });
