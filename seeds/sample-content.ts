import type { PhotoName } from './photos.ts';

/** The two users of a development installation. X-Test-User and the development panel use these ids. */
export const SAMPLE_USERS = {
  seller: { id: '1001', username: 'seller_one', displayName: 'Sally Seller', isVerified: true, isPremium: true },
  buyer: { id: '1002', username: 'buyer_two', displayName: 'Ben Buyer', isVerified: false, isPremium: false },
} as const;
export type SampleRole = keyof typeof SAMPLE_USERS;

export interface SampleAd {
  by: SampleRole;
  title: string;
  description: string;
  price: string;
  category: string;
  location: string;
  photos: PhotoName[];
  isSold?: boolean;
  daysAgo: number;
}

export const SAMPLE_ADS: SampleAd[] = [
  {
    by: 'seller',
    title: 'Box of paperback crime novels',
    description:
      'About forty paperbacks, read once or twice. Mostly Scandinavian authors. Collection only, the box is heavy.',
    price: '25',
    category: 'books',
    location: 'Portland, OR',
    photos: ['book-box'],
    isSold: true,
    daysAgo: 5,
  },
  {
    by: 'buyer',
    title: 'Potted rubber plant',
    description:
      'About 60 cm tall, healthy and easy to keep. We are moving and it will not fit in the car. The yellow pot comes with it.',
    price: '18',
    category: 'home-garden',
    location: 'Salem, OR',
    photos: ['rubber-plant'],
    daysAgo: 4,
  },
  {
    by: 'seller',
    title: 'Striped wool sweater, size M',
    description: 'Worn for one winter. Dry-cleaned, no moth holes, comes from a smoke-free home.',
    price: '45',
    category: 'clothing',
    location: 'Portland, OR',
    photos: ['sweater'],
    daysAgo: 3,
  },
  {
    by: 'seller',
    title: 'Two-seat sofa, dark grey',
    description:
      'Solid frame, wooden legs, new cushions last year. Comfortable, but it no longer fits our new flat.\n\nPick up in the evening or at the weekend.',
    price: '240',
    category: 'furniture',
    location: 'Portland, OR',
    photos: ['sofa', 'sofa-side'],
    daysAgo: 2,
  },
  {
    by: 'buyer',
    title: 'Teddy bear, blue',
    description: 'Washed and well loved, looking for a new home. Both eyes are sewn on safely.',
    price: '12.50',
    category: 'toys',
    location: 'Salem, OR',
    photos: ['teddy-bear'],
    daysAgo: 1,
  },
  {
    by: 'seller',
    title: 'Basketball, hardly used',
    description: 'Size 7, indoor and outdoor. Pump and a small practice ball included.',
    price: '28',
    category: 'sports',
    location: 'Portland, OR',
    photos: ['basketball', 'basketballs', 'basketball-court'],
    daysAgo: 0,
  },
];

/** About the sofa. The buyer writes first, and the seller has not read the last message. */
export const SAMPLE_CONVERSATION = {
  about: 'Two-seat sofa, dark grey',
  messages: [
    { from: 'buyer', content: 'Hi! Is the sofa still available?' },
    { from: 'seller', content: 'Yes, it is. Would you like to come and see it?' },
    { from: 'buyer', content: 'Gladly. Does Saturday morning suit you?' },
  ],
} as const satisfies { about: string; messages: readonly { from: SampleRole; content: string }[] };
