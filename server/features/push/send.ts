import { createHash } from 'node:crypto';
import { isToMany, type NotificationKind } from '../../../contract/notifications.ts';
import { shorten } from '../../../contract/text.ts';
import type { AppContext } from '../../app-context.ts';
import { createPushKeys, type PushKeys, type PushMessage, postPush } from '../../integrations/push/push.ts';
import {
  type ClaimedSubscription,
  claimSubscriptions,
  deleteGoneSubscription,
  insertPushKeys,
  readPushKeys,
  releaseSubscription,
} from './repository.ts';

/** The VAPID keys of the configuration, or those of the database, which are created on first use. */
export const getPushKeys = async ({ config, db }: Pick<AppContext, 'config' | 'db'>): Promise<PushKeys> => {
  const { vapidPublicKey: publicKey, vapidPrivateKey: privateKey } = config;
  if (publicKey !== undefined && privateKey !== undefined) return { publicKey, privateKey };
  const stored = await readPushKeys(db);
  if (stored) return stored;
  await insertPushKeys(db, await createPushKeys());
  // another replica may have been faster
  return (await readPushKeys(db))!;
};

export interface PushNotification {
  id: string;
  kind: NotificationKind;
  title: string;
  body: string;
  url: string | null;
}

/** Numbers of browsers that this call tried. All are 0 if the receiver has none, or none is left to try. */
export interface PushResult {
  /** Their push service accepted the notification. */
  sent: number;
  /** Their push service has not accepted it and may later: call sendPush again. */
  waiting: number;
  /** They do not receive it: the push service refused it, or its response was lost. */
  failed: number;
  /** They no longer subscribe and were deleted. */
  gone: number;
  /** The first error, for operators. */
  error: string | null;
}

/**
 * Sends a notification to the browsers of its receiver, each at most once: a repeated call, also concurrent or after a
 * crash, tries only browsers that have not been tried, or whose push service has not accepted the notification. The
 * caller decides whether the receiver may get it. Must not run inside a transaction.
 */
export const sendPush = async (ctx: AppContext, notification: PushNotification): Promise<PushResult> => {
  const keys = await getPushKeys(ctx);
  const message = toMessage(notification);
  const claimed = await claimSubscriptions(ctx.db, notification.id);
  const result: PushResult = { sent: 0, waiting: 0, failed: 0, gone: 0, error: null };
  await Promise.all(
    claimed.map(async (subscription) => {
      const { outcome, error } = await postPush(ctx.config, keys, subscription, message);
      result[outcome]++;
      result.error ??= error;
      if (error) ctx.log.info({ notificationId: notification.id, error, outcome }, 'a push was not accepted');
      await settle(ctx, notification, subscription, outcome);
    }),
  );
  return result;
};

const settle = async (
  { db }: AppContext,
  { id }: PushNotification,
  subscription: ClaimedSubscription,
  outcome: Exclude<keyof PushResult, 'error'>,
): Promise<void> => {
  if (outcome === 'waiting') await releaseSubscription(db, id, subscription.id);
  if (outcome === 'gone') await deleteGoneSubscription(db, subscription);
};

const DAY_SECONDS = 86_400;
/** Expiry is three days ahead. Anything else is of no use on a later day. */
const TTL_SECONDS: Partial<Record<NotificationKind, number>> = { ad_expiring: 3 * DAY_SECONDS };
/** What a phone on battery may collect. */
const canWait = (kind: NotificationKind): boolean => isToMany(kind) || kind === 'notice';
/** Operating systems show less. The payload stays far below the limit of push services. */
const BODY_CHARACTERS = 200;

/** What the service worker receives: web/service-worker/service-worker.ts. */
const toMessage = ({ id, kind, title, body, url }: PushNotification): PushMessage => ({
  payload: JSON.stringify({ id, title, body: shorten(body, BODY_CHARACTERS), url: url ?? '/notifications' }),
  ttlSeconds: TTL_SECONDS[kind] ?? DAY_SECONDS,
  urgency: canWait(kind) ? 'low' : 'normal',
  // for a browser that was offline: the newest of a kind about one page
  topic: url === null ? undefined : createHash('sha256').update(`${kind} ${url}`).digest('base64url').slice(0, 32),
});
