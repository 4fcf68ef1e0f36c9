import { expect, test } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, expectNothingRefused } from './audit.ts';
import { expectNothingCut } from './cut.ts';
import { setTheme } from './inspect.ts';
import { prepareOverlays } from './overlay-data.ts';
import { IN_PAGE, OVERLAYS } from './overlays.ts';
import { takePicture } from './pictures.ts';
import { prepareScreens, type ScreenNames, showScreen } from './screen-data.ts';
import { SCREENS } from './screens.ts';
import { openAs, THEMES } from './viewers.ts';

let names: ScreenNames;

test.beforeAll(async ({ baseURL }) => {
  names = await prepareScreens(baseURL ?? '');
  await prepareOverlays(baseURL ?? '', names);
});

test('what opens over a page is sound in each theme', async ({ browser }) => {
  for (const overlay of OVERLAYS) {
    const { name, viewer, width, isRefused } = overlay;
    const { page, problems, close } = await openAs(browser, { viewer, width });
    await showScreen(page, overlay, names);
    await page.waitForLoadState('networkidle');
    for (const theme of THEMES) {
      const where = `${name} ${theme}`;
      await setTheme(page, theme);
      // A menu is rendered at the end of the body, outside of the landmarks.
      await expectAccessible(page, where, ...(name.endsWith('-menu') ? ['region'] : []));
      await expectNoSidewaysScroll(page, where);
      await expectNothingRefused(page, where);
      await takePicture(page, `over-${name}-${width}-${theme}`);
      const expected = (problem: string) => isRefused && problem.includes('status of 409');
      expect(
        problems.filter((problem) => !expected(problem)),
        where,
      ).toEqual([]);
    }
    await close();
  }
});

const PHONE_HEIGHT = 700;
const OPENED = [...OVERLAYS, ...SCREENS.filter(({ name, open }) => open && !IN_PAGE.includes(name))];

test('text of twice the size still fits into what opens, on a phone', async ({ browser }) => {
  for (const overlay of OPENED) {
    const { name, viewer } = overlay;
    const { page, close } = await openAs(browser, { viewer });
    // The breakpoints follow the font size of the browser: 2560 px then correspond to 1280 px, and 390 px to 195 px.
    const browserSettings = await page.context().newCDPSession(page);
    await browserSettings.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
    const isOfDesktop = !('width' in overlay) || overlay.width > 1000;
    await page.setViewportSize({ width: isOfDesktop ? 2560 : 390, height: PHONE_HEIGHT });
    await showScreen(page, overlay, names);
    for (const width of isOfDesktop && name.endsWith('-menu') ? [1280] : [390, 320]) {
      await page.setViewportSize({ width, height: PHONE_HEIGHT });
      const where = `${name} at 200 %, ${width} px`;
      if (IN_PAGE.includes(name)) await expectNoSidewaysScroll(page, where);
      else await expectNothingCut(page, where);
    }
    await close();
  }
});
