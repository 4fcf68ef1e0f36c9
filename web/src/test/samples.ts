import type { AdminUser } from '../../../contract/admin.ts';
import type { Ad } from '../../../contract/ads.ts';
import type { Message } from '../../../contract/messages.ts';
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
    imageUrls: [],
    thumbUrl: null,
    isActive: true,
    isSold: false,
    isDeleted: false,
  },
  sender: sampleUser(),
  receiver: sampleUser({ id: '1002', username: 'buyer_two', displayName: 'Ben Buyer' }),
  ...fields,
});
