import { type APIRequestContext, expect, type Page, test } from '@playwright/test';
import type { Case } from '../../contract/reports.ts';
import { expectAlive } from './alive.ts';
import { expectAccessible, expectNoSidewaysScroll, expectNothingRefused } from './audit.ts';
import { BUYER, createUser, listAds, SELLER, sendAs } from './content.ts';
import { takePicture } from './pictures.ts';
import { SCREENS, type Screen } from './screens.ts';
import { HEIGHT, openAs, THEMES } from './viewers.ts';

const WIDTHS = [320, 360, 768, 1280];

const names = new Map<string, string>();

test.beforeAll(async ({ playwright, baseURL }) => {
  const request = await playwright.request.newContext({ baseURL: baseURL ?? '' });
  names.set(':ad', (await listAds(request, '?search=basketball'))[0]?.id ?? '');
  names.set(':talk', (await listAds(request, '?search=two-seat+sofa'))[0]?.id ?? '');
  const ending = (await listAds(request, '?search=wool+sweater'))[0]?.id ?? '';
  const { expiresAt } = await sendAs(request, SELLER, `/api/ads/${ending}`);
  names.set(':ending', `ad=${ending}&ends=${encodeURIComponent(expiresAt)}`);
  await reportSeller(request);
  await request.dispose();
});

/** Leaves an open case about the seller's ad, and a decision about the seller. */
const reportSeller = async (request: APIRequestContext): Promise<void> => {
  const details = 'Wants a deposit by wire transfer before I may see it';
  const targetId = names.get(':ad');
  await sendAs(request, BUYER, '/api/reports', { targetType: 'ad', targetId, reason: 'scam', details });
  await sendAs(request, BUYER, '/api/reports', { targetType: 'user', targetId: SELLER, reason: 'harassment' });
  const moderator = await createUser('Maria Moderator', 'moderator');
  const cases: Case[] = await sendAs(request, moderator.id, '/api/admin/reports?status=open');
  names.set(':case', cases.find((one) => one.targetType === 'ad' && one.targetId === targetId)?.id ?? '');
  const person = cases.find((one) => one.targetType === 'user' && one.targetId === SELLER);
  const decision = { action: 'warn', reason: 'harassment', note: 'Stop writing when a buyer asks you to.' };
  await sendAs(request, moderator.id, `/api/admin/reports/${person?.id}/decision`, decision);
};

const addressOf = ({ path }: Screen): string =>
  path.replace(/:(ad|talk|case|ending)\b/g, (name) => names.get(name) ?? '');

const show = async (page: Page, screen: Screen): Promise<void> => {
  await page.goto(addressOf(screen));
  if (screen.open) {
    await expectAlive(page);
    await screen.open(page);
  }
  await expect(page.getByText(screen.shows).locator('visible=true').first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expectAlive(page);
};

for (const screen of SCREENS) {
  for (const theme of THEMES) {
    test(`${screen.name} in ${theme} is sound at every width`, async ({ browser }) => {
      const { page, problems, close } = await openAs(browser, { ...screen, theme });
      await show(page, screen);
      for (const width of WIDTHS) {
        const where = `${screen.name} ${theme} ${width}`;
        await page.setViewportSize({ width, height: HEIGHT });
        await expectNoSidewaysScroll(page, where);
        await expectAccessible(page, where);
        await takePicture(page, `${screen.name}-${width}-${theme}`, !screen.open);
      }
      await expectNothingRefused(page, screen.name);
      expect(problems).toEqual([]);
      await close();
    });
  }
}

test('text of twice the size still fits into every page', async ({ browser }) => {
  for (const viewer of ['nobody', SELLER, 'admin'] as const) {
    const { page, close } = await openAs(browser, { viewer });
    // Sets the default font size of the browser, which the breakpoints follow: 1280 px then correspond to 640 px.
    const browserSettings = await page.context().newCDPSession(page);
    await browserSettings.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
    for (const screen of SCREENS.filter((one) => (one.viewer ?? 'nobody') === viewer && !one.open)) {
      await show(page, screen);
      for (const width of [1280, 768]) {
        await page.setViewportSize({ width, height: HEIGHT });
        await expectNoSidewaysScroll(page, `${screen.name} at 200 %, ${width} px`);
      }
      await takePicture(page, `${screen.name}-768-large-text`, true);
    }
    await close();
  }
});
