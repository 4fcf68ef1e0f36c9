import type { BodyOf } from '../../../contract/endpoint.ts';
import { LIMITS } from '../../../contract/limits.ts';
import {
  CHANNELS,
  type changeSubscription as changeEndpoint,
  type NotificationSettings,
  type Subscription,
  type updateNotificationSettings,
} from '../../../contract/notification-settings.ts';
import { NOTIFICATION_KINDS, type NotificationKind } from '../../../contract/notifications.ts';
import type { AppContext } from '../../app-context.ts';
import type { Db } from '../../db/pools.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { ANONYMOUS, type UserActor } from '../../policy.ts';
import { type AuditContext, recordAudit } from '../audit/repository.ts';
import { lockActiveActor } from '../users/active-actor.ts';
import { findAddress, lockAddress, setMailPaused } from './address-repository.ts';
import { type LinkPayloads, readLink, signLink } from './link-tokens.ts';
import { type ChannelSetting, readNotificationSettings, saveNotificationSettings } from './settings-repository.ts';

/** Changes the kinds and channels that the actor names. Returns all settings as they are now. */
export const changeNotificationSettings = (
  { db }: AppContext,
  actor: UserActor,
  changes: BodyOf<typeof updateNotificationSettings>,
): Promise<NotificationSettings> =>
  inTransaction(db, async (trx) => {
    await lockActiveActor(trx, actor);
    const named: ChannelSetting[] = NOTIFICATION_KINDS.flatMap((kind) =>
      CHANNELS.flatMap((channel) => {
        const isOn = changes[kind]?.[channel];
        return isOn === undefined ? [] : [{ kind, channel, isOn }];
      }),
    );
    await saveNotificationSettings(trx, actor.id, named);
    return (await readNotificationSettings(trx, [actor.id])).get(actor.id)!;
  });

/** Whom a mail is for, and what kind of notification it is about. */
export interface MailedKind {
  user_id: string;
  user_created_at: string;
  kind: NotificationKind;
}

/** The address at the end of a mail of this kind: a page by GET, and by POST the one click of mail programs (RFC 8058). */
export const toUnsubscribeUrl = (
  ctx: Pick<AppContext, 'config' | 'clock'>,
  { user_id: userId, user_created_at: createdAt, kind }: MailedKind,
): string => {
  const payload = { userId, userSince: Date.parse(createdAt), kind };
  const token = signLink(ctx, 'unsubscribe', payload, LIMITS.unsubscribeLinkDays * 86_400);
  return `${ctx.config.publicUrl}/unsubscribe?token=${token}`;
};

/** @throws {AppError} link_invalid, link_expired */
function readUnsubscribeLink(ctx: AppContext, token: string): LinkPayloads['unsubscribe'] {
  const link = readLink(ctx, 'unsubscribe', token);
  if (link.state === 'valid') return link.payload;
  if (link.state === 'invalid') throw new AppError('link_invalid');
  throw new AppError('link_expired', { key: 'errors.linkExpiredSettings' });
}

async function readSubscription(
  db: Db,
  { userId, userSince, kind }: LinkPayloads['unsubscribe'],
): Promise<Subscription> {
  const row = await findAddress(db, userId);
  if (row === undefined) throw accountGone();
  if (Date.parse(row.user_created_at) !== userSince) throw new AppError('link_invalid');
  const settings = (await readNotificationSettings(db, [userId])).get(userId)!;
  return { kind, isOn: settings[kind].email, isPaused: row.paused_at !== null };
}

const accountGone = () => new AppError('link_invalid', { key: 'errors.accountOfLinkDeleted' });

/** What the link at the end of a mail is about. @throws {AppError} link_invalid, link_expired */
export const getSubscription = (ctx: AppContext, token: string): Promise<Subscription> =>
  readSubscription(ctx.db, readUnsubscribeLink(ctx, token));

type SubscriptionChange = Omit<BodyOf<typeof changeEndpoint>, 'token'>;

/**
 * Switches mail of the link's kind, or all mail, off or on again. The link is the permission: no session is needed, and
 * repeating it changes nothing. @throws {AppError} link_invalid, link_expired
 */
export const changeSubscription = (
  ctx: AppContext,
  token: string,
  { what, isOn }: SubscriptionChange,
  { requestId }: AuditContext = {},
): Promise<Subscription> =>
  inTransaction(ctx.db, async (trx) => {
    const link = readUnsubscribeLink(ctx, token);
    const { userId, kind } = link;
    if ((await lockAddress(trx, userId)) === undefined) throw accountGone();
    const before = await readSubscription(trx, link);
    if ((what === 'kind' ? before.isOn : !before.isPaused) === isOn) return before;
    if (what === 'kind') await saveNotificationSettings(trx, userId, [{ kind, channel: 'email', isOn }]);
    else await setMailPaused(trx, userId, !isOn);
    await recordAudit(trx, ANONYMOUS, {
      action: isOn ? 'email.resume' : 'email.unsubscribe',
      target: ['user', userId],
      details: { what: what === 'kind' ? kind : 'all' },
      requestId,
    });
    return readSubscription(trx, link);
  });
