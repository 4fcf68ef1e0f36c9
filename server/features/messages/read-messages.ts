import type { Message } from '../../../contract/messages.ts';
import type { AppContext } from '../../app-context.ts';
import type { MessageRow } from '../../db/rows.ts';
import type { Actor } from '../../policy.ts';
import { listAdsByIds } from '../ads/repository.ts';
import { listUsersByIds } from '../users/repository.ts';
import { readAttachments } from './attachments.ts';
import { presentMessage, toMessageContext } from './presenter.ts';

/** Messages of the actor as the contract has them, with their ads, people and offers. */
export const readMessages = async (
  { db, config }: AppContext,
  rows: readonly MessageRow[],
  actor: Actor,
): Promise<Message[]> => {
  const [ads, users, attachments] = await Promise.all([
    listAdsByIds(db, [...new Set(rows.map((row) => row.ad_id))]),
    listUsersByIds(
      db,
      rows.flatMap((row) => [row.sender_id, row.receiver_id]),
    ),
    readAttachments(
      db,
      rows.map((row) => row.id),
    ),
  ]);
  const context = toMessageContext(config, { ads, users, ...attachments });
  return rows.map((row) => presentMessage(row, context, actor));
};
