import type { SceneKind } from './scenes/scenes.ts';

/** The two people of a development installation; X-Test-User and the development panel know them by these ids. */
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
  /** What to paint, one picture each: the first is the cover. */
  pictures: [SceneKind, number][];
  isSold?: boolean;
  daysAgo: number;
}

/** Oldest first, as they were posted. */
export const SAMPLE_ADS: SampleAd[] = [
  {
    by: 'seller',
    title: 'Box of paperback crime novels',
    description:
      'About forty paperbacks, read once or twice. Mostly Scandinavian authors. Collection only, the box is heavy.',
    price: '25',
    category: 'books',
    location: 'Portland, OR',
    pictures: [['books', 3]],
    isSold: true,
    daysAgo: 5,
  },
  {
    by: 'buyer',
    title: 'Garden chairs, set of two',
    description: 'Two wooden chairs from our balcony. One has a scratch on the armrest, otherwise in good shape.',
    price: '60',
    category: 'home-garden',
    location: 'Salem, OR',
    pictures: [['home-garden', 5]],
    daysAgo: 4,
  },
  {
    by: 'seller',
    title: 'Wool winter coat, size M',
    description: 'Worn for one winter. Dry-cleaned, no moth holes, comes from a smoke-free home.',
    price: '85',
    category: 'clothing',
    location: 'Portland, OR',
    pictures: [['clothing', 2]],
    daysAgo: 3,
  },
  {
    by: 'seller',
    title: 'Mid-century armchair',
    description:
      'Solid frame, new cushions last year. A comfortable reading chair that no longer fits our new flat.\n\nPick up in the evening or at the weekend.',
    price: '240',
    category: 'furniture',
    location: 'Portland, OR',
    pictures: [
      ['furniture', 1],
      ['furniture', 4],
    ],
    daysAgo: 2,
  },
  {
    by: 'buyer',
    title: 'Wooden train set',
    description: 'Tracks, two trains and a bridge. Everything is there, the children have outgrown it.',
    price: '35.50',
    category: 'toys',
    location: 'Salem, OR',
    pictures: [['toys', 1]],
    daysAgo: 1,
  },
  {
    by: 'seller',
    title: 'City bicycle with basket',
    description: 'Seven gears, new tyres, lights that work. Serviced in spring. Test rides welcome.',
    price: '320',
    category: 'sports',
    location: 'Portland, OR',
    pictures: [
      ['sports', 1],
      ['sports', 2],
      ['sports', 6],
    ],
    daysAgo: 0,
  },
];

/** About the armchair: the buyer begins, and the seller has not read the last one. */
export const SAMPLE_CONVERSATION = {
  about: 'Mid-century armchair',
  messages: [
    { from: 'buyer', content: 'Hi! Is the armchair still available?' },
    { from: 'seller', content: 'Yes, it is. Would you like to come and see it?' },
    { from: 'buyer', content: 'Gladly. Does Saturday morning suit you?' },
  ],
} as const satisfies { about: string; messages: readonly { from: SampleRole; content: string }[] };
