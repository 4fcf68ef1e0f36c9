import type { AppContext } from '../../app-context.ts';
import { findContact, markMailed } from './repository.ts';

/** Mails a message of the contact form to the operator; an answer goes to whoever wrote it. At worst it arrives twice. */
export const mailContact = async (
  { db, mailer, config }: AppContext,
  { contactMessageId }: { contactMessageId: string },
): Promise<void> => {
  const row = await findContact(db, contactMessageId);
  if (row === undefined || row.mailed_at !== null) return;
  await mailer.send({
    to: config.contactEmail,
    replyTo: { name: row.name, address: row.email },
    subject: `[${config.siteName}] ${row.subject}`,
    text: `${row.message}\n\n-- \n${row.name} <${row.email}>, by the contact form on ${row.created_at}\n`,
  });
  await markMailed(db, row.id);
};
