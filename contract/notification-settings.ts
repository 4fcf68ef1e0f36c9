import * as z from 'zod/mini';
import { LinkToken } from './email.ts';
import { endpoint } from './endpoint.ts';
import { NOTIFICATION_KINDS, type NotificationKind } from './notifications.ts';

/** Where a notification goes in addition to the product itself. */
export const CHANNELS = ['email', 'push'] as const;
export type Channel = (typeof CHANNELS)[number];

/** Whether a kind of notification goes to each channel. */
export const ChannelChoice = z.object({ email: z.boolean(), push: z.boolean() });
export type ChannelChoice = z.output<typeof ChannelChoice>;

export const NotificationSettings = z.record(z.enum(NOTIFICATION_KINDS), ChannelChoice);
export type NotificationSettings = Record<NotificationKind, ChannelChoice>;

const BOTH: ChannelChoice = { email: true, push: true };
const EMAIL_ONLY: ChannelChoice = { email: true, push: false };
const PUSH_ONLY: ChannelChoice = { email: false, push: true };

/** What applies until a person chooses something else. How often a saved search notifies is a setting of the search. */
export const DEFAULT_CHANNELS: Readonly<NotificationSettings> = {
  message: BOTH,
  ad_approved: BOTH,
  ad_rejected: BOTH,
  ad_held: BOTH,
  ad_expiring: EMAIL_ONLY,
  ad_expired: EMAIL_ONLY,
  price_drop: PUSH_ONLY,
  search_match: BOTH,
  seller_new_ad: PUSH_ONLY,
  offer: BOTH,
  reservation: BOTH,
  deal: BOTH,
  rating: BOTH,
  report_outcome: BOTH,
  decision: EMAIL_ONLY,
  notice: EMAIL_ONLY,
};

export const getNotificationSettings = endpoint({
  method: 'GET',
  path: '/api/notification-settings',
  summary: 'Which kinds of notifications the signed-in user gets by e-mail and by push',
  access: 'user',
  scope: 'profile:read',
  reply: NotificationSettings,
  tags: ['notificationSettings'],
});

export const updateNotificationSettings = endpoint({
  method: 'PUT',
  path: '/api/notification-settings',
  summary: 'Changes the given kinds and channels; the others stay as they are',
  access: 'user',
  scope: 'session',
  body: z.partialRecord(z.enum(NOTIFICATION_KINDS), z.partial(ChannelChoice)),
  reply: NotificationSettings,
  invalidates: ['notificationSettings'],
});

/** What the link at the end of a mail is about. */
export const Subscription = z.object({
  kind: z.enum(NOTIFICATION_KINDS),
  /** Mail of this kind is on. */
  isOn: z.boolean(),
  /** All mail is off. */
  isPaused: z.boolean(),
});
export type Subscription = z.output<typeof Subscription>;

export const getSubscription = endpoint({
  method: 'GET',
  path: '/api/unsubscribe',
  summary: 'What the link at the end of a mail is about; changes nothing',
  access: 'public',
  scope: 'session',
  whileSuspended: true,
  query: z.object({ token: LinkToken }),
  reply: Subscription,
  errors: ['link_invalid', 'link_expired'],
  tags: ['email', 'notificationSettings'],
});

export const changeSubscription = endpoint({
  method: 'POST',
  path: '/api/unsubscribe',
  summary: 'Switches mail of the kind of this link, or all mail, off or on again',
  access: 'public',
  scope: 'session',
  whileSuspended: true,
  body: z.object({ token: LinkToken, what: z.enum(['kind', 'all']), isOn: z.boolean() }),
  reply: Subscription,
  errors: ['link_invalid', 'link_expired'],
  invalidates: ['email', 'notificationSettings'],
  limit: 'mailSettings',
});

export const unsubscribeByOneClick = endpoint({
  method: 'POST',
  path: '/unsubscribe',
  summary: 'Switches mail of the kind of this link off: the form that a mail program sends (RFC 8058)',
  access: 'public',
  scope: 'session',
  whileSuspended: true,
  oneClick: true,
  query: z.object({ token: LinkToken }),
  body: z.object({ 'List-Unsubscribe': z.literal('One-Click') }),
  bodyLimit: 4096,
  reply: Subscription,
  limit: 'read',
  errors: ['link_invalid', 'link_expired'],
});
