import * as z from 'zod/mini';
import { Ad, AdState } from './ads.ts';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { StaffNote, StaffReason, SuspensionDays } from './reports.ts';
import { says } from './says.ts';
import { Cursor, Id, IdParams, PageSize, Timestamp } from './scalars.ts';
import { text } from './text.ts';
import { Role, User } from './user.ts';

const Reason = z.optional(text({ max: LIMITS.reason }));

export const AdminStats = z.object({
  totalUsers: z.number(),
  todaySignups: z.number(),
  totalAds: z.number(),
  todayAds: z.number(),
  activeAds: z.number(),
  pendingAds: z.number(),
  revenue: z.number(),
  dailyActiveUsers: z.number(),
  /** Of the days that the next three are about: without any, these have nothing to say. */
  visits: z.number(),
  /** "4m 0s": in English, for programs that had it before the seconds. */
  avgSessionDuration: z.string(),
  avgSessionSeconds: z.number(),
  bounceRate: z.number(),
  conversionRate: z.number(),
  topCategories: z.array(z.object({ category: z.string(), percentage: z.number(), count: z.number() })),
});
export type AdminStats = z.output<typeof AdminStats>;

export const AdminUser = z.extend(User, {
  email: z.nullable(z.string()),
  role: Role,
  twitterId: z.nullable(z.string()),
  adCount: z.number(),
  isBanned: z.boolean(),
  banReason: z.nullable(z.string()),
  bannedAt: z.nullable(Timestamp),
  suspendedUntil: z.nullable(Timestamp),
  lastSeenAt: z.nullable(Timestamp),
  canLinkOut: z.boolean(),
  /** True while a job still hides or restores the ads of a user who was banned or unbanned. */
  isUpdatePending: z.optional(z.boolean()),
});
export type AdminUser = z.output<typeof AdminUser>;

export const getAdminStats = endpoint({
  method: 'GET',
  path: '/api/admin/stats',
  summary: 'Statistics of the whole marketplace',
  access: 'moderator',
  scope: 'admin:read',
  reply: AdminStats,
  tags: ['adminUsers', 'adminAds'],
});

export const listAdminUsers = endpoint({
  method: 'GET',
  path: '/api/admin/users',
  summary: 'Users, newest first; email address and X id for administrators only',
  access: 'moderator',
  scope: 'admin:read',
  query: z.object({
    search: z.optional(z.string().check(z.maxLength(LIMITS.search))),
    status: z.optional(z.enum(['active', 'banned', 'suspended'])),
    role: z.optional(Role),
    cursor: z.optional(Cursor),
    limit: PageSize,
  }),
  reply: z.array(AdminUser),
  paged: true,
  tags: ['adminUsers'],
});

const Used = z.object({ count: z.number(), lastUsedAt: z.nullable(Timestamp) });

/** What lets a person in beside X, and what programs of theirs there are. */
export const AdminUserAccess = z.object({
  passkeys: Used,
  recoveryCodes: z.number(),
  accessTokens: Used,
  /** Those that are on. */
  webhooks: z.number(),
});
export type AdminUserAccess = z.output<typeof AdminUserAccess>;

export const getUserAccess = endpoint({
  method: 'GET',
  path: '/api/admin/users/:id/access',
  summary:
    'How many passkeys, recovery codes, access tokens and webhooks a user has, and when passkeys and tokens were last used',
  access: 'admin',
  scope: 'admin:read',
  params: IdParams,
  reply: AdminUserAccess,
  tags: ['adminUsers'],
});

/** An ad as staff see it. */
export const AdminAd = z.extend(Ad, {
  /** To whom it is sold, if that is a person with an account. */
  buyer: z.optional(User),
});
export type AdminAd = z.output<typeof AdminAd>;

export const listAdminAds = endpoint({
  method: 'GET',
  path: '/api/admin/ads',
  summary: 'Ads of every state, newest first',
  access: 'moderator',
  scope: 'admin:read',
  query: z.object({
    search: z.optional(z.string().check(z.maxLength(LIMITS.search))),
    state: z.optional(AdState),
    category: z.optional(z.string().check(z.maxLength(100))),
    userId: z.optional(Id),
    cursor: z.optional(Cursor),
    limit: PageSize,
  }),
  reply: z.array(AdminAd),
  paged: true,
  tags: ['adminAds'],
});

export const banUser = endpoint({
  method: 'POST',
  path: '/api/admin/users/:id/ban',
  summary: 'Bans a user: sessions end, ads leave public view, signing in is refused',
  access: 'admin',
  scope: 'session',
  params: IdParams,
  body: z.optional(z.object({ reason: Reason })),
  reply: AdminUser,
  errors: ['last_admin', 'conflict'],
  invalidates: ['adminUsers', 'adminAds', 'ad', 'ads', 'profiles'],
});

export const suspendUser = endpoint({
  method: 'POST',
  path: '/api/admin/users/:id/suspend',
  summary: 'Suspends a user for some days: ads leave public view, and the session is restricted',
  access: 'moderator',
  scope: 'admin:moderate',
  params: IdParams,
  body: z.object({
    days: SuspensionDays,
    reason: StaffReason,
    note: StaffNote,
  }),
  reply: AdminUser,
  errors: ['last_admin', 'conflict'],
  invalidates: ['adminUsers', 'adminAds', 'ad', 'ads', 'profiles'],
});

export const warnUser = endpoint({
  method: 'POST',
  path: '/api/admin/users/:id/warn',
  summary: 'Warns a user, who sees the reason and may appeal',
  access: 'moderator',
  scope: 'admin:moderate',
  params: IdParams,
  body: z.object({ reason: StaffReason, note: StaffNote }),
  reply: AdminUser,
  errors: ['last_admin', 'conflict'],
  invalidates: ['adminUsers'],
});

export const unbanUser = endpoint({
  method: 'POST',
  path: '/api/admin/users/:id/unban',
  summary: 'Lifts a ban, or ends a suspension early; moderators do only the latter',
  access: 'moderator',
  scope: 'session',
  params: IdParams,
  reply: AdminUser,
  invalidates: ['adminUsers', 'adminAds', 'ad', 'ads', 'profiles'],
});

export const deleteUser = endpoint({
  method: 'DELETE',
  path: '/api/admin/users/:id',
  summary: 'Deletes a user; their messages stay for the other party',
  access: 'admin',
  scope: 'session',
  params: IdParams,
  errors: ['last_admin', 'conflict'],
  invalidates: ['adminUsers', 'adminAds', 'ad', 'ads', 'profiles'],
});

export const setAdStatus = endpoint({
  method: 'PATCH',
  path: '/api/admin/ads/:id/status',
  summary: 'Approves or activates an ad, rejects or deactivates it; the owner sees the reason',
  access: 'moderator',
  scope: 'admin:moderate',
  params: IdParams,
  /** With the `version` of the ad as read: 409 `conflict` if the ad has changed since. */
  body: z.object({
    status: z.enum(['active', 'inactive']),
    reason: Reason,
    version: z.optional(z.string().check(z.maxLength(100))),
  }),
  reply: AdminAd,
  errors: ['conflict'],
  invalidates: ['adminUsers', 'adminAds', 'ad', 'ads', 'profiles'],
});

export const deleteAdAsAdmin = endpoint({
  method: 'DELETE',
  path: '/api/admin/ads/:id',
  summary: 'Deletes an ad',
  access: 'admin',
  scope: 'admin:moderate',
  params: IdParams,
  errors: ['conflict'],
  invalidates: ['adminUsers', 'adminAds', 'ad', 'ads', 'profiles'],
});

const limit = (max: number) => z.number().check(z.int(), z.gte(0), z.lte(max));

/** The highest value of each limit against spam. 0 switches a limit off, and staff are exempt. */
export const SPAM_LIMITS = {
  /** Age of the X account in days, for ads, first messages, offers and reports. */
  minXAccountAgeDays: 3650,
  /** Ads a day of an account in its first `newAccountDays`. */
  newAccountAdsPerDay: 1000,
  newConversationsPerHour: 1000,
  /** The same text to this many people within an hour is refused; 1 would refuse every message. */
  sameTextPeople: 1000,
} as const;
export type SpamLimit = keyof typeof SPAM_LIMITS;

const spamLimits = {
  minXAccountAgeDays: limit(SPAM_LIMITS.minXAccountAgeDays),
  newAccountAdsPerDay: limit(SPAM_LIMITS.newAccountAdsPerDay),
  newConversationsPerHour: limit(SPAM_LIMITS.newConversationsPerHour),
  sameTextPeople: limit(SPAM_LIMITS.sameTextPeople).check(
    z.refine((people) => people !== 1, { ...says('fields.zeroOrTwo'), params: { json: { not: { const: 1 } } } }),
  ),
} satisfies Record<SpamLimit, unknown>;

export const Settings = z.object({
  /** Days until an unsold ad expires; 0 means never. */
  maxAdDurationDays: z.number().check(z.int(), z.gte(0), z.lte(3650)),
  maxImagesPerAd: z.number().check(z.int(), z.gte(0), z.lte(LIMITS.images)),
  moderationMode: z.enum(['automatic', 'manual', 'trusted']),
  /** An ad is held for review when the weights of its open reports reach this sum; 0 never holds. */
  reportHoldWeight: z.number().check(z.int(), z.gte(0), z.lte(1000)),
  bannedWords: z.array(text({ max: 50, required: 'fields.bannedWordBlank' })).check(z.maxLength(500)),
  ...spamLimits,
  /** The unit of distances between places and of mileages. */
  distanceUnit: z.enum(['km', 'miles'], says('fields.distanceUnit')),
  /** ISO 3166-1 alpha-2; its places are suggested before others and shown without it. Empty: no country is home. */
  homeCountry: z.string().check(z.regex(/^([A-Z]{2})?$/, says('fields.countryCode'))),
});
export type Settings = z.output<typeof Settings>;

export const VersionedSettings = z.extend(Settings, {
  /** Changes with the settings; send it with an update. */
  version: z.string(),
});
export type VersionedSettings = z.output<typeof VersionedSettings>;

/** Settings that were added later may be absent: they stay as they are. */
const SettingsInput = z.extend(z.partial(Settings), {
  ...z.pick(Settings, { maxAdDurationDays: true, maxImagesPerAd: true, moderationMode: true, bannedWords: true }).shape,
  /** The version that was edited: 409 `conflict` if the settings have changed since. Without it the last write wins. */
  version: z.optional(z.string().check(z.maxLength(100))),
});
export type SettingsInput = z.output<typeof SettingsInput>;

export const getSettings = endpoint({
  method: 'GET',
  path: '/api/admin/settings',
  summary: 'Platform settings',
  access: 'admin',
  scope: 'admin:read',
  reply: VersionedSettings,
});

export const updateSettings = endpoint({
  method: 'PUT',
  path: '/api/admin/settings',
  summary: 'Replaces the platform settings; they take effect at once',
  access: 'admin',
  scope: 'session',
  body: SettingsInput,
  reply: VersionedSettings,
  errors: ['conflict'],
});
