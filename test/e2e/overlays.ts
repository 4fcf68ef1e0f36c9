import type { Page } from '@playwright/test';
import { expectAlive } from './alive.ts';
import { BUYER, deleteAds, newWord, postAds, SELLER } from './content.ts';
import type { Viewer } from './viewers.ts';

const [PHONE, DESK] = [360, 1280];

export interface Overlay {
  name: string;
  path: string;
  viewer?: Viewer;
  width: number;
  open: (page: Page) => Promise<void>;
  shows: string;
  /** The server refuses a change with 409, which the browser logs. */
  isRefused?: true;
}

const click = async (page: Page, ...names: (string | RegExp)[]): Promise<void> => {
  for (const name of names)
    await page
      .getByRole('button', { name, exact: typeof name === 'string' })
      .first()
      .click();
};

const clickVisible = (name: string) => (page: Page) =>
  page.getByRole('button', { name }).locator('visible=true').first().click();

const moreForSofa = (page: Page) => click(page, /^More for/);

/** Two people, or two tabs of one, change the same ad. */
const changeAdTwice = async (page: Page): Promise<void> => {
  const [id = ''] = await postAds(page.request, 1, newWord('Stool '));
  await page.goto(`/ads/${id}/edit`);
  await expectAlive(page);
  await page.getByLabel('Description').fill('Three legs');
  await page.request.put(`/api/ads/${id}`, {
    headers: { 'Sec-Fetch-Site': 'same-origin', 'X-Test-User': SELLER },
    data: { title: 'Stool', description: 'Four legs', price: 1, category: 'other' },
  });
  await click(page, 'Update Ad');
  await page.getByRole('dialog').waitFor();
  await deleteAds(page.request, [id]);
};

const action = (name: string) => (page: Page) => click(page, new RegExp(`^${name}: `));

const makeNewSecret = async (page: Page): Promise<void> => {
  await action('New secret')(page);
  await click(page, 'Make a new secret');
  await page.getByText(/^whsec_/).waitFor();
};

/** Columns that no file had before: those of an earlier file are remembered. */
const giveTable = async (page: Page): Promise<void> => {
  const table = [`${newWord('Artikel ')};Preis;Rubrik`, 'Stuhl;10,50;Möbel', 'Tisch;zwanzig;Möbel', ';1,00;Möbel'];
  const chooser = page.waitForEvent('filechooser');
  await click(page, 'Choose a file');
  await (await chooser).setFiles({
    name: 'anzeigen.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(table.join('\r\n')),
  });
  await page.getByText('No column is the title yet.').waitFor();
};

const previewTable = async (page: Page): Promise<void> => {
  await giveTable(page);
  await page.getByLabel(/^What “Artikel/).selectOption('Title');
  await click(page, 'Read the file again');
};

/** Rows that open a part of the page instead of something over it, here and in screens.ts. */
export const IN_PAGE = [
  'search-row',
  'import-columns',
  'import-preview',
  'preferences-kinds',
  'create-details',
  'appeal',
];

/** Overlays that are not part of screens.ts, each at its intended width. */
export const OVERLAYS: Overlay[] = [
  { name: 'drawer', path: '/', width: PHONE, open: (page) => click(page, 'Menu'), shows: 'Post Ad' },
  {
    name: 'drawer-signed-in',
    path: '/safety-tips',
    viewer: SELLER,
    width: PHONE,
    open: (page) => click(page, 'Menu'),
    shows: 'Logout',
  },
  { name: 'theme-menu', path: '/', width: DESK, open: (page) => click(page, 'Theme'), shows: 'System' },
  {
    name: 'account-menu',
    path: '/safety-tips',
    viewer: SELLER,
    width: DESK,
    open: (page) => click(page, 'Account'),
    shows: 'Logout',
  },
  { name: 'search-row', path: '/categories', width: PHONE, open: (page) => click(page, 'Search'), shows: 'Categories' },
  { name: 'filters', path: '/', width: PHONE, open: (page) => click(page, /^More filters/), shows: 'Min price' },
  ...[PHONE, DESK].map((width) => ({
    name: `profile-${width}`,
    path: '/dashboard',
    viewer: SELLER as Viewer,
    width,
    open: (page: Page) => click(page, 'Edit Profile', 'Delete my account'),
    shows: 'This action cannot be undone.',
  })),
  {
    name: 'user-details',
    path: '/admin',
    viewer: 'admin',
    width: DESK,
    open: (page) => click(page, 'View details of Sally Seller'),
    shows: 'Ads posted',
  },
  {
    name: 'user-details-phone',
    path: '/admin',
    viewer: 'admin',
    width: PHONE,
    open: (page) => click(page, 'View details of Sally Seller'),
    shows: 'X account created',
  },
  {
    name: 'ban',
    path: '/admin',
    viewer: 'admin',
    width: PHONE,
    open: (page) => click(page, 'Ban Sally Seller'),
    shows: 'Are you sure you want to ban Sally Seller?',
  },
  {
    name: 'ad-details',
    path: '/admin?tab=ads',
    viewer: 'admin',
    width: DESK,
    open: (page) => click(page, /^View details of Two-seat sofa/),
    shows: 'Flag for Review',
  },
  {
    name: 'ad-delete',
    path: '/admin?tab=ads',
    viewer: 'admin',
    width: PHONE,
    open: (page) => click(page, /^Delete Two-seat sofa/),
    shows: 'This action cannot be undone.',
  },
  {
    name: 'leave-form',
    path: '/create-ad',
    viewer: SELLER,
    width: PHONE,
    open: async (page) => {
      await page.getByLabel('Title').fill('Half a thought');
      await click(page, 'Cancel');
    },
    shows: 'Leave this page?',
  },
  {
    name: 'notice-to-everyone',
    path: '/admin',
    viewer: 'admin',
    width: PHONE,
    open: (page) => click(page, 'Notice to Everyone'),
    shows: 'It cannot be taken back.',
  },
  {
    name: 'message-to-person',
    path: '/admin',
    viewer: 'admin',
    width: DESK,
    open: (page) => click(page, 'View details of Sally Seller', 'Send Message'),
    shows: 'It cannot be answered.',
  },
  {
    name: 'warn',
    path: '/admin',
    viewer: 'admin',
    width: PHONE,
    open: (page) => click(page, 'View details of Sally Seller', 'Warn'),
    shows: 'sees the warning with its reason and your note',
  },
  {
    name: 'user-delete',
    path: '/admin',
    viewer: 'admin',
    width: PHONE,
    open: (page) => click(page, 'View details of Sally Seller', 'Delete User'),
    shows: 'Are you sure you want to delete Sally Seller?',
  },
  {
    name: 'ad-deactivate',
    path: '/admin?tab=ads',
    viewer: 'admin',
    width: PHONE,
    open: (page) => click(page, /^Deactivate Two-seat sofa/),
    shows: 'leaves public view',
  },
  {
    name: 'ad-actions-menu',
    path: '/ads/:ad',
    viewer: BUYER,
    width: PHONE,
    open: (page) => click(page, /^More actions for/),
    shows: 'Report',
  },
  {
    name: 'offer',
    path: '/ads/:talk',
    viewer: BUYER,
    width: PHONE,
    open: clickVisible('Make an Offer'),
    shows: 'to accept, decline or counter',
  },
  { name: 'own-ad-menu', path: '/dashboard', viewer: SELLER, width: PHONE, open: moreForSofa, shows: 'Duplicate' },
  {
    name: 'lower-price',
    path: '/dashboard',
    viewer: SELLER,
    width: PHONE,
    open: (page) => click(page, /^Lower price/),
    shows: 'New price',
  },
  {
    name: 'sell',
    path: '/dashboard',
    viewer: SELLER,
    width: PHONE,
    open: (page) => click(page, /^Mark as sold/),
    shows: 'Only you and the buyer see who bought it',
  },
  {
    name: 'saved-search-delete',
    path: '/dashboard?tab=saved',
    viewer: SELLER,
    width: PHONE,
    open: (page) => click(page, 'Delete Sofas'),
    shows: 'Delete this saved search?',
  },
  {
    name: 'address-remove',
    path: '/preferences',
    viewer: SELLER,
    width: DESK,
    open: (page) => click(page, 'Remove'),
    shows: 'Remove this address?',
  },
  {
    name: 'rating',
    path: '/dashboard?tab=buying',
    viewer: BUYER,
    width: PHONE,
    open: (page) => click(page, /^Rate Sally Seller/),
    shows: 'In your words',
  },
  {
    name: 'token-new',
    path: '/preferences',
    viewer: SELLER,
    width: PHONE,
    open: (page) => click(page, 'New token'),
    shows: 'The program may',
  },
  ...[
    { name: 'category-new', opener: 'Add a Category', shows: 'Icon' },
    { name: 'category-edit', opener: /^Edit /, shows: 'Icon' },
    { name: 'category-merge', opener: /^Merge /, shows: 'This cannot be undone.' },
  ].map(({ opener, ...row }) => ({
    ...row,
    path: '/admin?tab=categories',
    viewer: 'admin' as const,
    width: PHONE,
    open: (page: Page) => click(page, opener),
  })),
  {
    name: 'version-conflict',
    path: '/dashboard',
    viewer: SELLER,
    width: PHONE,
    open: changeAdTwice,
    shows: 'another tab or device has saved other values',
    isRefused: true,
  },
  ...[
    { name: 'import-columns', open: giveTable, shows: 'No column is the title yet.' },
    { name: 'import-preview', open: previewTable, shows: 'Download all mistakes (CSV)' },
  ].map((row) => ({ ...row, path: '/dashboard?tab=import', viewer: SELLER as Viewer, width: PHONE })),
  ...[
    { name: 'offer-accept', opener: /^Accept the offer/, shows: 'You agree on payment and handover' },
    { name: 'offer-decline', opener: /^Decline the offer/, shows: 'You can both make another offer.' },
    { name: 'offer-counter', opener: /^Counter the offer/, shows: 'Your offer takes the place of theirs.' },
  ].map(({ opener, ...row }) => ({
    ...row,
    path: `/messages/:offered/${BUYER}`,
    viewer: SELLER as Viewer,
    width: PHONE,
    open: (page: Page) => click(page, opener),
  })),
  {
    name: 'reservation-end',
    path: `/messages/:reserved/${BUYER}`,
    viewer: SELLER,
    width: PHONE,
    open: (page) => click(page, 'Release'),
    shows: 'Others can make offers again.',
  },
  {
    name: 'reservation-release',
    path: '/ads/:reserved',
    viewer: BUYER,
    width: DESK,
    open: (page) => click(page, 'Release'),
    shows: 'The seller is notified and can sell the item to another person.',
  },
  ...[
    { name: 'webhook-log', open: action('Deliveries'), shows: 'offer.made' },
    { name: 'webhook-change', open: action('Change'), shows: 'The secret and the log of deliveries stay.' },
    { name: 'webhook-secret-question', open: action('New secret'), shows: 'the present secret signs as well' },
    { name: 'webhook-secret', open: makeNewSecret, shows: 'The secret of this webhook' },
    { name: 'webhook-remove', open: action('Remove'), shows: 'the log of its deliveries is gone' },
  ].map((row) => ({ ...row, path: '/preferences#webhooks', viewer: SELLER as Viewer, width: PHONE })),
];
