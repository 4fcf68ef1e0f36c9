import type { Page } from '@playwright/test';
import { BUYER, SELLER } from './content.ts';
import type { Say } from './pseudo.ts';
import type { Viewer } from './viewers.ts';

export interface Screen {
  name: string;
  /**
   * The path. `:ad` is the seller's ad with three photos, `:talk` the ad of the sample conversation, `:case` a case,
   * `:ending` and `:renewed` the questions about the ends of the seller's ads, `:dropped` an ad whose price dropped,
   * `:confirm` the token of a confirmation mail, `:leave` and `:left` tokens of mails from which the seller can and did
   * unsubscribe, `:bicycle` an ad with condition and details, `:ban` the token of a banned person, `:reserved` an ad that the
   * seller reserved for the buyer, `:offered` one for which the buyer made an offer (both of overlay-data.ts).
   */
  path: string;
  viewer?: Viewer;
  isMissing?: boolean;
  /** Radix renders menus outside of the landmarks. */
  isMenu?: boolean;
  shows: string | RegExp;
  /** `say` writes a text of the English site as the language of the page does. */
  open?: (page: Page, say: Say) => Promise<void>;
}

const click = (name: string | RegExp) => (page: Page, say: Say) =>
  page
    .getByRole('button', { name: say(name) })
    .first()
    .click();

export const SCREENS: Screen[] = [
  { name: 'home', path: '/', shows: 'Latest Ads' },
  { name: 'home-filtered', path: '/?category=furniture&maxPrice=500&search=sofa', shows: /^\d+ results?$/ },
  { name: 'home-empty', path: '/?search=zzzz', shows: 'Try adjusting your search filters or check back later.' },
  { name: 'home-looser', path: '/?near=5725846&radius=10&search=bicycle', shows: /^\d+ ads? within \d+/ },
  { name: 'categories', path: '/categories', shows: 'Most Popular' },
  { name: 'category', path: '/categories?category=furniture', shows: /\d ads? found/ },
  { name: 'category-empty', path: '/categories?category=pets', shows: 'No ads found in Pet Supplies' },
  { name: 'ad', path: '/ads/:ad', shows: 'Safety Tips' },
  { name: 'ad-details', path: '/ads/:bicycle', shows: 'Condition' },
  { name: 'ad-owner', path: '/ads/:ad', viewer: SELLER, shows: 'Mark as Sold' },
  { name: 'ad-missing', isMissing: true, path: '/ads/999999', shows: 'Ad not found' },
  { name: 'ad-price-drop', path: '/ads/:dropped', shows: 'Price dropped' },
  { name: 'home-price-drop', path: '/?search=striped+sweater', shows: 'Price dropped' },
  { name: 'create-anonymous', path: '/create-ad', shows: 'Please sign in to create an ad' },
  { name: 'create', path: '/create-ad', viewer: SELLER, shows: 'Post a New Ad' },
  { name: 'edit-anonymous', path: '/ads/:ad/edit', shows: 'Please sign in to edit ads' },
  { name: 'edit', path: '/ads/:ad/edit', viewer: SELLER, shows: 'Edit Your Ad' },
  { name: 'seller', path: '/users/seller_one', shows: 'Listings by' },
  { name: 'seller-sold', path: '/users/seller_one#sold', shows: 'Listings by' },
  { name: 'seller-missing', isMissing: true, path: '/users/nobody_here', shows: 'User Not Found' },
  { name: 'dashboard-anonymous', path: '/dashboard', shows: 'Please sign in to access your dashboard' },
  { name: 'dashboard', path: '/dashboard', viewer: SELLER, shows: 'Quick Actions' },
  { name: 'dashboard-buying', path: '/dashboard?tab=buying', viewer: BUYER, shows: 'Offers and reservations' },
  { name: 'dashboard-import', path: '/dashboard?tab=import', viewer: SELLER, shows: 'Choose a file' },
  { name: 'dashboard-saved', path: '/dashboard?tab=saved', viewer: SELLER, shows: 'People You Follow' },
  { name: 'preferences-anonymous', path: '/preferences', shows: 'Please sign in to see your preferences' },
  { name: 'preferences', path: '/preferences', viewer: SELLER, shows: 'Turn All E-mail Off' },
  { name: 'preferences-address-pending', path: '/preferences', viewer: BUYER, shows: 'Send Another Link' },
  { name: 'preferences-no-address', path: '/preferences', viewer: 'admin', shows: /^Enter your address to get/ },
  {
    name: 'preferences-kinds',
    path: '/preferences',
    viewer: SELLER,
    shows: 'Lower prices of saved ads',
    open: (page, say) => page.getByText(say('Choose each kind')).click(),
  },
  { name: 'messages-anonymous', path: '/messages', shows: 'Login with X (Twitter)' },
  { name: 'messages', path: '/messages', viewer: SELLER, shows: 'View Conversation' },
  {
    name: 'conversation',
    path: '/messages/:talk/1002',
    viewer: SELLER,
    shows: 'Gladly. Does Saturday morning suit you?',
  },
  { name: 'conversation-none', path: '/messages/999999/1002', viewer: SELLER, shows: 'No messages found' },
  { name: 'notifications-anonymous', path: '/notifications', shows: 'Please sign in to see your notifications' },
  { name: 'notifications', path: '/notifications', viewer: SELLER, shows: 'You received a warning' },
  { name: 'notifications-none', path: '/notifications', viewer: 'admin', shows: 'No notifications yet' },
  { name: 'still-available-anonymous', path: '/still-available?:ending', shows: 'Please sign in to answer' },
  { name: 'still-available', path: '/still-available?:ending', viewer: SELLER, shows: 'Your ad expires on' },
  {
    name: 'still-available-renewed',
    path: '/still-available?:renewed',
    viewer: SELLER,
    shows: /been renewed already$/,
  },
  { name: 'still-available-bad-link', path: '/still-available', shows: 'This link is not complete' },
  {
    name: 'saved-search-anonymous',
    path: '/saved-searches/1',
    shows: 'Please sign in to open your saved search',
  },
  { name: 'saved-search-unknown', path: '/saved-searches/1', viewer: SELLER, shows: 'Saved search not found' },
  { name: 'decisions-anonymous', path: '/decisions', shows: 'Please sign in to see decisions about your account' },
  { name: 'decisions', path: '/decisions', viewer: SELLER, shows: 'Appeal this decision' },
  { name: 'decisions-none', path: '/decisions', viewer: BUYER, shows: 'No decisions' },
  { name: 'ban', path: '/ban?token=:ban', shows: 'Appeal this decision' },
  { name: 'ban-incomplete', path: '/ban', shows: 'This link is not complete' },
  { name: 'verify-email', path: '/verify-email?token=:confirm', shows: 'Confirm This Address' },
  { name: 'verify-email-incomplete', path: '/verify-email', shows: 'This link is not complete' },
  { name: 'recover', path: '/recover', shows: 'Get back into your account' },
  { name: 'recover-link', path: '/recover#token=any', shows: 'Sign in with this link' },
  { name: 'unsubscribe', path: '/unsubscribe?token=:leave', shows: /^Stop e-mail about/ },
  { name: 'unsubscribed', path: '/unsubscribe?token=:left', shows: /^E-mail about .* is off$/ },
  { name: 'unsubscribe-incomplete', path: '/unsubscribe', shows: 'This link is not complete' },
  { name: 'contact', path: '/contact', shows: 'Get in Touch' },
  { name: 'safety-tips', path: '/safety-tips', shows: 'Red Flags' },
  { name: 'terms', path: '/terms-of-service', shows: 'Last updated: January 2025' },
  { name: 'privacy', path: '/privacy', shows: 'Privacy' },
  { name: 'how-it-works', path: '/how-it-works', shows: 'Post Your First Ad' },
  // with a text: admin.spec.ts
  { name: 'no-imprint', isMissing: true, path: '/imprint', shows: 'Page Not Found' },
  { name: 'not-found', isMissing: true, path: '/no/such/page', shows: 'Page Not Found' },
  { name: 'admin-gate', path: '/admin', shows: 'Admin Access Required' },
  { name: 'admin-users', path: '/admin', viewer: 'admin', shows: '@seller_one' },
  { name: 'admin-ads', path: '/admin?tab=ads', viewer: 'admin', shows: 'Two-seat sofa' },
  { name: 'admin-reports', path: '/admin?tab=reports', viewer: 'admin', shows: /^Open \(\d+\)/ },
  { name: 'admin-case', path: '/admin?tab=reports&case=:case', viewer: 'admin', shows: /Wants a deposit/ },
  { name: 'admin-decided', path: '/admin?tab=reports&status=decided', viewer: 'admin', shows: /^Warned by/ },
  { name: 'admin-analytics', path: '/admin?tab=analytics', viewer: 'admin', shows: /overview/i },
  { name: 'admin-settings', path: '/admin?tab=settings', viewer: 'admin', shows: /security/i },
  { name: 'admin-webhooks', path: '/admin?tab=webhooks', viewer: 'admin', shows: 'No webhooks yet.' },
  {
    name: 'preferences-webhook',
    path: '/preferences#webhooks',
    viewer: SELLER,
    shows: 'What it hears of',
    open: click('Add a webhook'),
  },
  { name: 'admin-categories', path: '/admin?tab=categories', viewer: 'admin', shows: 'Add a Category' },
  { name: 'admin-pages', path: '/admin?tab=pages', viewer: 'admin', shows: 'Preview' },
  { name: 'admin-brand', path: '/admin?tab=brand', viewer: 'admin', shows: 'Preview' },
  {
    name: 'sign-in',
    path: '/create-ad',
    shows: 'Continue with X',
    open: (page, say) =>
      page
        .locator('main')
        .getByRole('button', { name: say('Sign In') })
        .click(),
  },
  { name: 'viewer', path: '/ads/:ad', shows: '1 / 3', open: click(/^View photo 1/) },
  {
    name: 'contact-seller',
    path: '/ads/:talk',
    viewer: BUYER,
    shows: 'Open the full conversation',
    open: (page, say) =>
      page
        .getByRole('button', { name: say('Contact Seller') })
        .locator('visible=true')
        .click(),
  },
  {
    name: 'filter-sheet',
    path: '/?category=vehicles&d.fuel=petrol&near=5746545&radius=100',
    shows: /^Show \d+ ads?$/,
    open: click(/^(More filters|Filters \()/),
  },
  {
    name: 'create-details',
    path: '/create-ad',
    viewer: SELLER,
    shows: 'Mileage (km)',
    open: async (page, say) => {
      await page.getByLabel(say('Category')).selectOption('vehicles');
      await page.getByText(say('More details')).click();
    },
  },
  { name: 'analytics', path: '/dashboard', viewer: SELLER, shows: /engagement rate/i, open: click('View Analytics') },
  { name: 'profile', path: '/dashboard', viewer: SELLER, shows: 'Edit on X', open: click('Edit Profile') },
  { name: 'admin-login', path: '/admin', shows: 'Administrator Login', open: click('Admin Login') },
  {
    name: 'save-search',
    path: '/?search=sofa',
    viewer: BUYER,
    shows: 'Notify me about new ads',
    open: click('Save this search'),
  },
  {
    name: 'edit-saved-search',
    path: '/dashboard?tab=saved',
    viewer: SELLER,
    shows: 'Edit saved search',
    open: click('Edit Sofas'),
  },
  {
    name: 'follow-menu',
    path: '/users/seller_one',
    viewer: BUYER,
    shows: 'Notify me about new ads',
    open: click(/^Follow/),
    isMenu: true,
  },
  { name: 'ad-share', path: '/ads/:ad', viewer: BUYER, shows: 'Post on X', open: click(/^Share$/), isMenu: true },
  {
    name: 'report',
    path: '/ads/:ad',
    viewer: BUYER,
    shows: 'What is wrong?',
    open: async (page, say) => {
      await click(/^More actions for/)(page, say);
      await page.getByRole('menuitem', { name: say('Report') }).click();
    },
  },
  {
    name: 'message-menu',
    path: '/messages/:talk/1001',
    viewer: BUYER,
    shows: 'What is wrong?',
    open: async (page, say) => {
      await click(/^Actions for the message/)(page, say);
      await page.getByRole('menuitem', { name: say('Report') }).click();
    },
  },
  {
    name: 'appeal',
    path: '/decisions',
    viewer: SELLER,
    shows: 'Why is the decision wrong?',
    open: click('Appeal this decision'),
  },
  {
    name: 'ban-by-key',
    path: '/admin?tab=reports&case=:case',
    viewer: 'admin',
    shows: /A ban has no end\./,
    open: async (page, say) => {
      await page.getByRole('button', { name: say(/^Decide$/) }).waitFor();
      await page.keyboard.press('b');
      await page.keyboard.press('Enter');
    },
  },
];
