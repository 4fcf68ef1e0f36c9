import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import { inTransaction } from '../../db/transaction.ts';
import { notFound } from '../../errors.ts';
import { type Actor, getUserId } from '../../policy.ts';
import { type AuditContext, recordAudit } from '../audit/repository.ts';
import { lockActiveAdmin } from '../users/active-actor.ts';
import { lockUserShared } from '../users/repository.ts';
import { TO_EVERYONE } from './delivery.ts';
import { enqueueFanOuts, type FanOut } from './fan-outs.ts';
import {
  countReceivers,
  findNotice,
  finishNotice,
  insertNotice,
  listNextReceivers,
  listUnfinishedNotices,
  takeNotice,
} from './notices-repository.ts';
import { insertForMany } from './repository.ts';

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
    if (!isToEveryone && (receiver === undefined || receiver.deleted_at !== null))
      throw notFound('errors.userNotFound');
    const id = await insertNotice(trx, { title, body, senderId: getUserId(actor), receiverId: receiverId ?? null });
    if (isToEveryone) await enqueueFanOuts(trx, 'notice', [{ subjectId: id }]);
    else {
      await insertForMany(trx, [receiverId], { kind: 'notice', title, body, noticeId: id });
      await finishNotice(trx, id);
    }
    await recordAudit(trx, actor, {
      action: 'notice.send',
      ...(!isToEveryone && { target: ['user', receiverId] }),
      details: { noticeId: id, title, body, reason },
      requestId,
    });
    return { id, recipients: isToEveryone ? await countReceivers(trx) : 1 };
  });

/** Enqueues the unfinished notices after a restore: a backup contains no jobs. */
export const resumeNotices = async (trx: Trx): Promise<void> =>
  enqueueFanOuts(
    trx,
    'notice',
    (await listUnfinishedNotices(trx)).map((subjectId) => ({ subjectId })),
  );

/** To everyone who had an account when it was sent. */
export const notice: FanOut = {
  kind: 'notice',
  begin: takeNotice,
  findSource: async () => undefined,
  list: listNextReceivers,
  build: async (trx, id) => {
    const found = await findNotice(trx, id);
    return found && { kind: 'notice', title: found.title, body: found.body, noticeId: id, priority: TO_EVERYONE };
  },
  finish: finishNotice,
};
