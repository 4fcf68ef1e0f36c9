import type { Locator, Page } from '@playwright/test';
import { makePhoto, toDataUrl } from '../harness/photos.ts';

const SELLER = '1001';
const BUYER = '1002';

export interface Action {
  name: string;
  path: string;
  viewer?: string;
  before?: (page: Page) => Promise<unknown>;
  taps?: (page: Page) => Locator;
  /** Characters, or names of keys. */
  types?: string | string[];
}

export interface Names {
  /** An ad with five photos, whose price is negotiable. */
  ad: string;
  /** Another ad of the seller's, about which the buyer has written. */
  talk: string;
}

const send = async (address: string, viewer: string, path: string, body: object): Promise<{ id: string }> => {
  const response = await fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Test-User': viewer, Origin: address },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return (await response.json()) as { id: string };
};

/** Posts the ad that the actions need. The rest is in the sample data. */
export const prepare = async (address: string): Promise<Names> => {
  const photos = await Promise.all(
    [1, 2, 3, 4, 5].map((seed) => makePhoto({ kind: 'furniture', seed, width: 1200, height: 900 })),
  );
  const { id: ad } = await send(address, SELLER, '/api/ads', {
    title: `Walnut sideboard ${Date.now()}`,
    description: 'Four doors, two drawers, original handles. A scratch on top that oil would hide.',
    price: '420',
    priceType: 'negotiable',
    category: 'furniture',
    location: 'Portland, OR',
    imageUrls: photos.map((photo) => toDataUrl(photo)),
    confirmSimilar: true,
  });
  const found = await (await fetch(`${address}/api/ads?search=two-seat+sofa`)).json();
  return { ad, talk: (found as { id: string }[])[0]?.id ?? '' };
};

const button = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('button', { name }).locator('visible=true').first();
const tap = (name: string | RegExp) => (page: Page) => button(page, name);
const open = (name: string | RegExp) => (page: Page) => button(page, name).tap();

const FILTERS = /^(More filters|Filters \()/;
const message = (page: Page) => page.getByLabel('Message', { exact: true });

export const listActions = ({ ad, talk }: Names): Action[] => [
  { name: 'open the filters', path: '/', taps: tap(FILTERS) },
  {
    name: 'choose a filter',
    path: '/',
    before: open(FILTERS),
    taps: (page) => page.getByRole('dialog').getByText('Good', { exact: true }),
  },
  {
    name: 'choose a range of prices',
    path: '/',
    before: open(FILTERS),
    taps: (page) => page.getByRole('list', { name: 'Price ranges' }).getByRole('button').first(),
  },
  { name: 'close the filters', path: '/', before: open(FILTERS), taps: tap(/^Show \d+ ads/) },
  { name: 'choose a category', path: '/', taps: (page) => page.getByRole('link', { name: 'Furniture' }).first() },
  {
    name: 'type a search',
    path: '/',
    before: (page) => page.getByRole('combobox').locator('visible=true').first().focus(),
    types: 'bicycle',
  },
  { name: 'open an ad', path: '/', taps: (page) => page.locator('a[href^="/ads/"]').first() },
  {
    name: 'save an ad',
    path: '/',
    viewer: BUYER,
    taps: (page) => page.getByRole('button', { name: /^Save / }).first(),
  },
  { name: 'open the drawer', path: '/', viewer: BUYER, taps: tap('Menu') },
  {
    name: 'open the inbox',
    path: '/',
    viewer: SELLER,
    taps: (page) => page.locator('[data-slot=tab-bar]').getByRole('link', { name: /^Inbox/ }),
  },
  { name: 'open a photo', path: `/ads/${ad}`, taps: tap(/^View photo 1/) },
  { name: 'see the next photo', path: `/ads/${ad}`, before: open(/^View photo 1/), types: ['ArrowRight'] },
  { name: 'open the menu of an ad', path: `/ads/${ad}`, viewer: BUYER, taps: tap(/^More actions for/) },
  { name: 'make an offer', path: `/ads/${ad}`, viewer: BUYER, taps: tap('Make an Offer') },
  { name: 'contact the seller', path: `/ads/${ad}`, viewer: BUYER, taps: tap('Contact Seller') },
  {
    name: 'open a conversation',
    path: '/messages',
    viewer: SELLER,
    taps: (page) => page.getByRole('link', { name: 'View Conversation' }).first(),
  },
  {
    name: 'type a message',
    path: `/messages/${talk}/1002`,
    viewer: SELLER,
    before: (page) => message(page).focus(),
    types: 'Gladly.',
  },
  {
    name: 'send a message',
    path: `/messages/${talk}/1002`,
    viewer: SELLER,
    before: (page) => message(page).fill(`Gladly, ${Date.now()}.`),
    taps: tap('Send Message'),
  },
  {
    name: 'type a title',
    path: '/create-ad',
    viewer: SELLER,
    before: (page) => page.getByLabel('Title').focus(),
    types: 'Walnut',
  },
  { name: 'lower a price', path: '/dashboard', viewer: SELLER, taps: tap(/^Lower price/) },
  { name: 'tick an ad', path: '/dashboard', viewer: SELLER, taps: (page) => page.getByRole('checkbox').first() },
  {
    name: 'choose the dark theme',
    path: '/preferences',
    viewer: BUYER,
    taps: (page) => page.getByText('Dark', { exact: true }).first(),
  },
];
