// Notifications of messages that stay unread. See insertMessage, which begins a reminder, for the first step.
import type { AppContext } from '../../app-context.ts';
import { getNow, type Trx } from '../../db/pools.ts';
import { inTransaction } from '../../db/transaction.ts';
import { enqueue, enqueueAll } from '../../jobs/queue.ts';
import { isShutOut } from '../../policy.ts';
import { findAd } from '../ads/repository.ts';
import { readBlocksBetween } from '../blocks/repository.ts';
import { insertNotification, publishCounts } from '../notifications/repository.ts';
import { findUser } from '../users/repository.ts';
import { hasOpenStream } from './presence-repository.ts';
import { findTitle } from './presenter.ts';
import {
  deleteReminder,
  endReadReminder,
  isWaiting,
  listWaitingReminders,
  lockConversation,
  lockNotified,
  lockOldestUnread,
  type ReminderKey,
  setNotified,
  type UnreadMessage,
} from './reminders-repository.ts';

const UNREAD_SECONDS = 120;
/** A page that is open beside an unread message for so long is one that nobody looks at. */
const FORGOTTEN_SECONDS = 3600;

const toUrl = (adId: string, otherId: string): string => `/messages/${adId}/${otherId}`;

const enqueueIn = (trx: Trx, key: ReminderKey, seconds: number): Promise<void> =>
  enqueue(trx, 'remind-of-messages', key, { runAt: new Date(getNow(trx).valueOf() + seconds * 1000) });

/** Returns undefined if the receiver must not or cannot be notified. */
const findReminder = async (trx: Trx, receiverId: string, { sender_id, ad_id }: UnreadMessage) => {
  const [receiver, sender, ad, blocks] = await Promise.all([
    findUser(trx, receiverId),
    findUser(trx, sender_id),
    findAd(trx, ad_id),
    readBlocksBetween(trx, receiverId, sender_id),
  ]);
  if (!receiver || !sender || !ad || blocks.byOneself || blocks.byOther) return undefined;
  const isGone = [receiver, sender].some((person) => isShutOut(person, getNow(trx)) || person.deleted_at !== null);
  return isGone ? undefined : { name: sender.display_name, ad: findTitle(ad) };
};

/**
 * Notifies the receiver of unread messages once, two minutes after the first of them, or an hour after it if they have an
 * open page. While they have one, it looks again at growing intervals.
 */
export const remindOfMessages = ({ db }: Pick<AppContext, 'db'>, key: ReminderKey): Promise<void> =>
  inTransaction(db, async (trx) => {
    await lockConversation(trx, key.conversationId);
    if (!(await isWaiting(trx, key))) return;
    const oldest = await lockOldestUnread(trx, key);
    if (oldest === undefined) return deleteReminder(trx, key);
    const { age, sender_id, ad_id } = oldest;
    if (age < UNREAD_SECONDS) return enqueueIn(trx, key, UNREAD_SECONDS - age);
    const reminder = await findReminder(trx, key.receiverId, oldest);
    if (reminder === undefined) return deleteReminder(trx, key);
    if (age < FORGOTTEN_SECONDS && (await hasOpenStream(trx, key.receiverId)))
      return enqueueIn(trx, key, Math.min(age, FORGOTTEN_SECONDS - age));
    await insertNotification(trx, {
      userId: key.receiverId,
      kind: 'message',
      params: { is: 'unread', ...reminder },
      url: toUrl(ad_id, sender_id),
      sourceUserId: sender_id,
    });
    await setNotified(trx, key);
  });

/** After a message was marked as read: the next one notifies again as soon as no message is unread. */
export const endReminder = async (
  trx: Trx,
  key: ReminderKey,
  { adId, senderId }: { adId: string; senderId: string },
): Promise<void> => {
  if (!(await lockNotified(trx, key))) return;
  if ((await endReadReminder(trx, { ...key, url: toUrl(adId, senderId) })) > 0)
    await publishCounts(trx, [key.receiverId]);
};

/** Enqueues the waiting reminders after a restore: a backup contains no jobs. */
export const resumeReminders = async (trx: Trx): Promise<void> => {
  const keys = await listWaitingReminders(trx);
  const runAt = new Date(getNow(trx).valueOf() + UNREAD_SECONDS * 1000);
  if (keys.length > 0)
    await enqueueAll(
      trx,
      'remind-of-messages',
      keys.map((payload) => ({ payload, runAt })),
    );
};
