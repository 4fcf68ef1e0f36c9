import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import { inTransaction } from '../../db/transaction.ts';
import { notFound } from '../../errors.ts';
import { enqueue } from '../../jobs/queue.ts';
import { type Actor, getUserId } from '../../policy.ts';
import { type AuditContext, recordAudit } from '../audit/repository.ts';
import { lockActiveAdmin } from '../users/active-actor.ts';
import { lockUserShared } from '../users/repository.ts';
import { TO_EVERYONE } from './delivery.ts';
import {
  addProgress,
  countReceivers,
  insertNotice,
  listUnfinishedNotices,
  lockNextReceivers,
  lockUnfinishedNotice,
} from './notices-repository.ts';
import { insertNoticeNotifications, publishCounts } from './repository.ts';

interface NoticeInput {
  title: string;
  body: string;
  /** Absent: everyone who is not banned. */
  receiverId?: string | undefined;
}

export interface SentNotice {
  id: string;
  /** How many people get it, as of now. */
  recipients: number;
}

/**
 * Sends a notice to one person at once, or to everyone who is not banned, by a job. People who join later do not get
 * it. @throws {AppError} not_found, forbidden
 */
export const sendNotice = (
  ctx: AppContext,
  actor: Actor,
  { title, body, receiverId }: NoticeInput,
  { requestId, reason }: AuditContext = {},
): Promise<SentNotice> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveAdmin(trx, actor);
    const isToEveryone = receiverId === undefined;
    const receiver = isToEveryone ? undefined : await lockUserShared(trx, receiverId);
    if (!isToEveryone && (receiver === undefined || receiver.deleted_at !== null)) throw notFound('User not found');
    const id = await insertNotice(trx, { title, body, senderId: getUserId(actor), receiverId: receiverId ?? null });
    if (isToEveryone) await enqueueDelivery(trx, id);
    else await deliverBatch(trx, id);
    await recordAudit(trx, actor, {
      action: 'notice.send',
      ...(!isToEveryone && { target: ['user', receiverId] }),
      details: { noticeId: id, title, body, reason },
      requestId,
    });
    return { id, recipients: isToEveryone ? await countReceivers(trx) : 1 };
  });

const enqueueDelivery = (trx: Trx, noticeId: string): Promise<void> =>
  enqueue(trx, 'deliver-notice', { noticeId }, { key: `notice ${noticeId}`, priority: TO_EVERYONE });

/** Enqueues the unfinished deliveries after a restore: a backup contains no jobs. */
export const resumeNotices = async (trx: Trx): Promise<void> => {
  for (const id of await listUnfinishedNotices(trx)) await enqueueDelivery(trx, id);
};

const BATCH = 500;

/**
 * Delivers a notice to its next receivers. Returns false when all have it. A concurrent run of the same delivery waits
 * for the notice's row and continues after this batch.
 */
const deliverBatch = async (trx: Trx, id: string): Promise<boolean> => {
  const notice = await lockUnfinishedNotice(trx, id);
  if (notice === undefined) return false;
  const userIds = await lockNextReceivers(trx, notice, BATCH);
  const priority = notice.receiver_id === null ? TO_EVERYONE : 0;
  const recipients = await insertNoticeNotifications(trx, id, userIds, { priority });
  const isFinished = userIds.length < BATCH;
  await addProgress(trx, id, { deliveredTo: userIds.at(-1) ?? notice.delivered_to, recipients, isFinished });
  await publishCounts(trx, userIds);
  return !isFinished;
};

/** Delivers a notice to everyone, in short transactions. An interrupted delivery continues where it stopped. */
export const deliverNotice = async ({ db }: Pick<AppContext, 'db'>, noticeId: string): Promise<void> => {
  while (await inTransaction(db, (trx) => deliverBatch(trx, noticeId)));
};
