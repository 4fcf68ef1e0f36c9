import type { Details } from '../contract/ads.ts';
import type { Condition } from '../contract/conditions.ts';
import type { PriceType } from '../contract/prices.ts';
import type { Role } from '../contract/user.ts';
import type { UserActor } from '../server/policy.ts';
import type { PhotoName } from './photos.ts';

export interface SampleUser {
  id: string;
  username: string;
  displayName: string;
  role?: Role;
  isVerified?: boolean;
  isPremium?: boolean;
  hoursSinceJoined?: number;
}

/** The users of a development installation. X-Test-User takes these ids; the development panel offers the first two. */
export const SAMPLE_USERS = {
  seller: { id: '1001', username: 'seller_one', displayName: 'Sally Seller', isVerified: true, isPremium: true },
  buyer: { id: '1002', username: 'buyer_two', displayName: 'Ben Buyer' },
  moderator: { id: '1003', username: 'moderator_three', displayName: 'Mona Moderator', role: 'moderator' },
  reader: { id: '1004', username: 'reader_four', displayName: 'Rita Reader' },
  newcomer: { id: '1005', username: 'newcomer_five', displayName: 'Nico Newcomer', hoursSinceJoined: 2 },
  dealer: { id: '1006', username: 'dealer_six', displayName: 'Dan Dealer' },
} as const satisfies Record<string, SampleUser>;
export type SampleRole = keyof typeof SAMPLE_USERS;

export const toActor = (person: SampleRole): UserActor => {
  const user: SampleUser = SAMPLE_USERS[person];
  return { kind: 'user', id: user.id, role: user.role ?? 'user' };
};

export interface SampleAd {
  by: SampleRole;
  title: string;
  description: string;
  price: string;
  /** The price before it dropped. */
  oldPrice?: string;
  category: string;
  location: string;
  /** GeoNames id; left out where the places are not loaded. */
  placeId?: string;
  priceType?: PriceType;
  condition?: Condition;
  details?: Details;
  photos: PhotoName[];
  isSold?: boolean;
  /** Absent: as the settings say. */
  daysLeft?: number;
  daysAgo: number;
}

export interface SampleConversation {
  about: string;
  messages: readonly { from: SampleRole; to: SampleRole; content: string }[];
}
