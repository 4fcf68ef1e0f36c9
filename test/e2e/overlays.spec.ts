import { expect, type Page, test } from '@playwright/test';
import { expectAlive } from './alive.ts';
import { expectAccessible, expectNoSidewaysScroll, expectNothingRefused } from './audit.ts';
import { SELLER } from './content.ts';
import { takePicture } from './pictures.ts';
import { openAs, THEMES, type Viewer } from './viewers.ts';

const [PHONE, DESK] = [360, 1280];

interface Overlay {
  name: string;
  path: string;
  viewer?: Viewer;
  width: number;
  open: (page: Page) => Promise<void>;
  shows: string;
}

const click = async (page: Page, ...names: (string | RegExp)[]): Promise<void> => {
  for (const name of names)
    await page
      .getByRole('button', { name, exact: typeof name === 'string' })
      .first()
      .click();
};

/** Overlays that are not part of screens.ts, each at its intended width. */
const OVERLAYS: Overlay[] = [
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
  { name: 'filters', path: '/', width: PHONE, open: (page) => click(page, /^Filters/), shows: 'Min price' },
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
];

for (const theme of THEMES) {
  test(`what opens over a page is sound in ${theme}`, async ({ browser }) => {
    for (const { name, path, viewer, width, open, shows } of OVERLAYS) {
      const { page, problems, close } = await openAs(browser, { viewer, theme, width });
      await page.goto(path);
      await expectAlive(page);
      await open(page);
      await expect(page.getByText(shows).locator('visible=true').first(), name).toBeVisible();
      await page.waitForLoadState('networkidle');
      // A menu is rendered at the end of the body, outside of the landmarks.
      await expectAccessible(page, `${name} ${theme}`, ...(name.endsWith('-menu') ? ['region'] : []));
      await expectNoSidewaysScroll(page, `${name} ${theme}`);
      await expectNothingRefused(page, name);
      await takePicture(page, `over-${name}-${width}-${theme}`);
      expect(problems, name).toEqual([]);
      await close();
    }
  });
}
