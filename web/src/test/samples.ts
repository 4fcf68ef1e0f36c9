import type { AdminUser } from '../../../contract/admin.ts';
import type { Ad } from '../../../contract/ads.ts';
import type { Conversation } from '../../../contract/conversations.ts';
import type { Deal } from '../../../contract/deals.ts';
import { getUnreadCount, type Message } from '../../../contract/messages.ts';
import { getUnreadNotificationCount } from '../../../contract/notifications.ts';
import type { Rating } from '../../../contract/ratings.ts';
import type { Case, CaseTarget, Decision } from '../../../contract/reports.ts';
import type { Me, User } from '../../../contract/user.ts';

const JOINED = '2026-01-05T10:00:00.000Z';

export const sampleUser = (fields: Partial<User> = {}): User => ({
  id: '1001',
  username: 'seller_one',
  displayName: 'Sally Seller',
  avatar: null,
  isVerified: true,
  isPremium: false,
  xAccountCreated: JOINED,
  joinDate: JOINED,
  createdAt: JOINED,
  ...fields,
});

export const sampleMe = (fields: Partial<Me> = {}): Me => ({
  ...sampleUser(),
  role: 'user',
  email: null,
  twitterId: '42',
  canLinkOut: false,
  hasPassword: false,
  suspendedUntil: null,
  ...fields,
});

export const sampleAdminUser = (fields: Partial<AdminUser> = {}): AdminUser => ({
  ...sampleMe(),
  adCount: 0,
  isBanned: false,
  banReason: null,
  bannedAt: null,
  lastSeenAt: null,
  ...fields,
});

export const sampleAd = (fields: Partial<Ad> = {}): Ad => ({
  id: '1',
  userId: '1001',
  title: 'Oak table',
  description: 'Solid',
  price: '120.00',
  category: 'Furniture',
  categorySlug: 'furniture',
  location: 'Portland, OR',
  placeId: null,
  priceType: 'fixed',
  condition: null,
  details: {},
  imageUrls: [],
  images: [],
  externalLink: null,
  allowMessages: true,
  isActive: true,
  isSold: false,
  views: 3,
  createdAt: JOINED,
  user: sampleUser(),
  ...fields,
});

export const sampleMessage = (fields: Partial<Message> = {}): Message => ({
  id: '1',
  adId: '1',
  senderId: '1001',
  receiverId: '1002',
  content: 'Hello',
  isRead: true,
  createdAt: JOINED,
  ad: {
    id: '1',
    userId: '1001',
    title: 'Oak table',
    price: '120.00',
    priceType: 'fixed',
    imageUrls: [],
    thumbUrl: null,
    categorySlug: 'furniture',
    isActive: true,
    isSold: false,
    isDeleted: false,
  },
  sender: sampleUser(),
  receiver: sampleUser({ id: '1002', username: 'buyer_two', displayName: 'Ben Buyer' }),
  ...fields,
});

/** A conversation about the ad of a sample message, in which the reader may write. */
export const sampleConversation = (fields: Partial<Conversation> = {}): Conversation => ({
  ad: sampleMessage().ad,
  other: sampleUser({ id: '1002', username: 'buyer_two', displayName: 'Ben Buyer' }),
  deal: null,
  agreedPrice: null,
  isBlocked: false,
  actions: ['send'],
  reason: null,
  messages: [],
  ...fields,
});

export const sampleDeal = (fields: Partial<Deal> = {}): Deal => ({
  id: '30',
  role: 'buyer',
  ad: { ...sampleMessage().ad, isSold: true },
  other: sampleUser({ id: '1002', username: 'other', displayName: 'Olga Other' }),
  createdAt: JOINED,
  endsAt: '2099-01-19T12:00:00.000Z',
  canRate: true,
  canUndo: true,
  ownRating: null,
  otherRating: null,
  ...fields,
});

export const sampleRating = (fields: Partial<Rating> = {}): Rating => ({
  id: '90',
  value: 'good',
  tags: ['friendly'],
  text: 'A pleasure',
  createdAt: JOINED,
  role: 'buyer',
  rater: sampleUser({ id: '1002', username: 'other', displayName: 'Olga Other' }),
  reply: null,
  repliedAt: null,
  ...fields,
});

const samplePerson = (fields: Partial<Case['person']> = {}): Case['person'] => ({
  id: '1001',
  username: 'seller_one',
  displayName: 'Sally Seller',
  ...fields,
});

export const sampleCaseTarget = (fields: Partial<CaseTarget> = {}): CaseTarget => ({
  title: 'Oak table',
  text: 'Solid',
  url: '/ads/1',
  imageUrls: [],
  price: '120.00',
  priceType: 'fixed',
  category: 'Furniture',
  state: 'active',
  messages: [],
  isGone: false,
  ...fields,
});

export const sampleCaseDecision = (
  fields: Partial<NonNullable<Case['decision']>> = {},
): NonNullable<Case['decision']> => ({
  id: '70',
  action: 'remove',
  reason: 'scam',
  note: null,
  days: null,
  decidedBy: samplePerson({ id: '8', username: null, displayName: 'Maria Moderator' }),
  createdAt: JOINED,
  ...fields,
});

export const sampleCase = (fields: Partial<Case> = {}): Case => ({
  id: '50',
  targetType: 'ad',
  targetId: '1',
  status: 'open',
  weight: 2,
  title: 'Oak table',
  person: samplePerson(),
  reportCount: 2,
  reasons: ['scam'],
  openedAt: JOINED,
  decision: null,
  reports: ['scam', 'scam'].map((_, index) => ({
    id: `${60 + index}`,
    reporter: samplePerson({ id: `${2000 + index}`, username: `buyer_${index}`, displayName: `Buyer ${index}` }),
    reason: 'scam',
    details: null,
    weight: 1,
    createdAt: JOINED,
  })),
  reported: sampleCaseTarget(),
  now: sampleCaseTarget(),
  isEdited: false,
  version: null,
  history: { adsRemoved: 0, warnings: 1, suspensions: 0, openCases: 1 },
  appeal: null,
  actions: ['dismiss', 'remove', 'warn', 'suspend', 'ban'],
  ...fields,
});

export const sampleDecision = (fields: Partial<Decision> = {}): Decision => ({
  id: '70',
  action: 'remove',
  reason: 'scam',
  note: null,
  days: null,
  until: null,
  isAutomatic: false,
  targetType: 'ad',
  title: 'Oak table',
  url: '/ads/1',
  createdAt: JOINED,
  reversedAt: null,
  appeal: null,
  canAppeal: true,
  appealUntil: '2099-01-19T10:00:00.000Z',
  ...fields,
});

/** The data of a page whose bell shows these counts. */
export const unreadCounts = (messages: number, notifications: number) => ({
  [getUnreadCount.path]: { unreadCount: messages },
  [getUnreadNotificationCount.path]: { unreadCount: notifications },
});
