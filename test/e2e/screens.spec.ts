import { join } from 'node:path';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { PASSWORD } from '../admins.ts';
import { expectAccessible, expectNoSidewaysScroll, expectNothingRefused, watchConsole, watchPolicy } from './audit.ts';
import { createAdmin, listAds, SELLER } from './content.ts';
import { SCREENS, type Screen, type Viewer } from './screens.ts';

const THEMES = ['light', 'dark'] as const;
const WIDTHS = [320, 360, 768, 1280];
const HEIGHT = 900;
const PICTURES = join(import.meta.dirname, '../screenshots');

const names = new Map<string, string>();
let adminLogin = '';

test.beforeAll(async ({ playwright, baseURL }) => {
  const request = await playwright.request.newContext({ baseURL: baseURL ?? '' });
  names.set(':ad', (await listAds(request, '?search=basketball'))[0]?.id ?? '');
  names.set(':talk', (await listAds(request, '?search=two-seat+sofa'))[0]?.id ?? '');
  await request.dispose();
  adminLogin = await createAdmin();
});

const addressOf = ({ path }: Screen): string => path.replace(/:(ad|talk)/g, (name) => names.get(name) ?? '');

/** A page as this viewer has it, in this theme, with everything that could go wrong being watched. */
const openAs = async (browser: Browser, viewer: Viewer, theme: string, isMissing = false) => {
  // Less motion, so that nothing is caught half faded in; a test of its own has motion on.
  const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 1280, height: HEIGHT } });
  await context.addInitScript((value) => localStorage.setItem('theme', value), theme);
  if (viewer === 'admin') {
    const reply = await context.request.post('/api/auth/admin', { data: { username: adminLogin, password: PASSWORD } });
    expect(reply.status()).toBe(200);
  } else if (viewer !== 'nobody') {
    await context.addInitScript((id) => localStorage.setItem('testUser', id), viewer);
  }
  const page = await context.newPage();
  await watchPolicy(page);
  return { page, problems: watchConsole(page, isMissing), close: () => context.close() };
};

const show = async (page: Page, screen: Screen): Promise<void> => {
  await page.goto(addressOf(screen));
  if (screen.open) await screen.open(page);
  await expect(page.getByText(screen.shows).locator('visible=true').first()).toBeVisible();
  await page.waitForLoadState('networkidle');
};

for (const screen of SCREENS) {
  for (const theme of THEMES) {
    test(`${screen.name} in ${theme} is sound at every width`, async ({ browser }) => {
      const { page, problems, close } = await openAs(browser, screen.viewer ?? 'nobody', theme, screen.isMissing);
      await show(page, screen);
      for (const width of WIDTHS) {
        const where = `${screen.name} ${theme} ${width}`;
        await page.setViewportSize({ width, height: HEIGHT });
        await expectNoSidewaysScroll(page, where);
        await expectAccessible(page, where);
        await page.screenshot({ path: join(PICTURES, `${screen.name}-${width}-${theme}.png`), fullPage: !screen.open });
      }
      await expectNothingRefused(page, screen.name);
      expect(problems).toEqual([]);
      await close();
    });
  }
}

test('text of twice the size still fits into every page', async ({ browser }) => {
  for (const viewer of ['nobody', SELLER, 'admin'] as const) {
    const { page, close } = await openAs(browser, viewer, 'light');
    // The browser's own setting, which the breakpoints follow: 1280 px then hold as much as 640 px otherwise.
    const browserSettings = await page.context().newCDPSession(page);
    await browserSettings.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
    for (const screen of SCREENS.filter((one) => (one.viewer ?? 'nobody') === viewer && !one.open)) {
      await show(page, screen);
      for (const width of [1280, 768]) {
        await page.setViewportSize({ width, height: HEIGHT });
        await expectNoSidewaysScroll(page, `${screen.name} at 200 %, ${width} px`);
      }
      await page.screenshot({ path: join(PICTURES, `${screen.name}-768-large-text.png`), fullPage: true });
    }
    await close();
  }
});
