import {
  CHANNELS,
  type Channel,
  type ChannelChoice,
  type NotificationSettings,
} from '../../../../contract/notification-settings.ts';
import { NOTIFICATION_KINDS, type NotificationKind } from '../../../../contract/notifications.ts';

/** Whether somebody waits for it, or something can be lost by not knowing it. */
const IS_IMPORTANT: Record<NotificationKind, boolean> = {
  message: true,
  ad_approved: false,
  ad_rejected: true,
  ad_held: true,
  ad_expiring: true,
  ad_expired: false,
  price_drop: false,
  search_match: false,
  seller_new_ad: false,
  offer: true,
  reservation: true,
  deal: true,
  rating: false,
  report_outcome: false,
  decision: true,
  notice: false,
};

export const PRESETS = [
  ['all', 'notifications.preset_all'],
  ['important', 'notifications.preset_important'],
  ['none', 'notifications.preset_none'],
] as const;
export type Preset = (typeof PRESETS)[number][0];

const isOn = (preset: Preset, kind: NotificationKind): boolean =>
  preset === 'all' || (preset === 'important' && IS_IMPORTANT[kind]);

/** Further kinds and channels stay as they are. */
export type Change = Partial<Record<NotificationKind, Partial<ChannelChoice>>>;

export const applyChange = (settings: NotificationSettings, change: Change): NotificationSettings =>
  Object.fromEntries(
    NOTIFICATION_KINDS.map((kind) => [kind, { ...settings[kind], ...change[kind] }]),
  ) as NotificationSettings;

/** The change that takes `change` back. */
export const toUndo = (settings: NotificationSettings, change: Change): Change =>
  Object.fromEntries(
    Object.entries(change).map(([kind, channels]) => [
      kind,
      Object.fromEntries(
        CHANNELS.filter((channel) => channel in channels).map((channel) => [
          channel,
          settings[kind as NotificationKind][channel],
        ]),
      ),
    ]),
  );

export const toChange = (preset: Preset, channels: readonly Channel[]): Change =>
  Object.fromEntries(
    NOTIFICATION_KINDS.map((kind) => [
      kind,
      Object.fromEntries(channels.map((channel) => [channel, isOn(preset, kind)])),
    ]),
  );

/** The preset that these settings are, if they are one. */
export const toPreset = (settings: NotificationSettings, channels: readonly Channel[]): Preset | undefined =>
  PRESETS.map(([preset]) => preset).find((preset) =>
    NOTIFICATION_KINDS.every((kind) => channels.every((channel) => settings[kind][channel] === isOn(preset, kind))),
  );
