import {
  CHANNELS,
  type Channel,
  DEFAULT_CHANNELS,
  type NotificationSettings,
} from '../../../contract/notification-settings.ts';
import { NOTIFICATION_KINDS, type NotificationKind } from '../../../contract/notifications.ts';
import type { Db, Trx } from '../../db/pools.ts';

export interface ChannelSetting {
  kind: NotificationKind;
  channel: Channel;
  isOn: boolean;
}

// several kinds share one default: structuredClone would keep that
const copyDefaults = (): NotificationSettings => {
  const copies = NOTIFICATION_KINDS.map((kind) => [kind, { ...DEFAULT_CHANNELS[kind] }]);
  return Object.fromEntries(copies) as NotificationSettings;
};

/** Every user's choice for each kind and channel: the stored one, else the default. Unknown users have the defaults. */
export const readNotificationSettings = async (
  db: Db,
  userIds: readonly string[],
): Promise<Map<string, NotificationSettings>> => {
  const rows = await db('notification_settings')
    .whereRaw('user_id = any(?::bigint[])', [[...userIds]])
    .select<{ user_id: string; kind: NotificationKind; channel: Channel; is_on: boolean }[]>();
  const settings = new Map(userIds.map((id) => [id, copyDefaults()]));
  for (const { user_id, kind, channel, is_on } of rows) settings.get(user_id)![kind][channel] = is_on;
  return settings;
};

/** Stores what a user chose. What is not named stays as it is. */
export const saveNotificationSettings = async (
  trx: Trx,
  userId: string,
  settings: readonly ChannelSetting[],
): Promise<void> => {
  if (settings.length === 0) return;
  const rows = settings.map(({ kind, channel, isOn }) => ({ user_id: userId, kind, channel, is_on: isOn }));
  // in one order, so that two requests at once do not wait for each other
  const toRank = (row: (typeof rows)[0]) =>
    NOTIFICATION_KINDS.indexOf(row.kind) * CHANNELS.length + CHANNELS.indexOf(row.channel);
  rows.sort((a, b) => toRank(a) - toRank(b));
  await trx('notification_settings').insert(rows).onConflict(['user_id', 'kind', 'channel']).merge(['is_on']);
};
