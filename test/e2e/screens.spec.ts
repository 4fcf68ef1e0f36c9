import { expect, type Page, test } from '@playwright/test';
import { PAGES } from '../../contract/pages.ts';
import { expectAccessible, expectNoSidewaysScroll, expectNothingRefused } from './audit.ts';
import { SELLER } from './content.ts';
import { setTheme } from './inspect.ts';
import { takePicture } from './pictures.ts';
import { prepareScreens, type ScreenNames, showScreen } from './screen-data.ts';
import { SCREENS, type Screen } from './screens.ts';
import { HEIGHT, openAs, THEMES } from './viewers.ts';

/** The layout does not depend on the theme, so the dark one is checked for its colors at two widths. */
const WIDTHS = { light: [320, 360, 768, 1280], dark: [1280, 320] };

let names: ScreenNames;

test.beforeAll(async ({ baseURL }) => {
  names = await prepareScreens(baseURL ?? '');
});

const show = async (page: Page, screen: Screen): Promise<void> => {
  await showScreen(page, screen, names);
  await page.waitForLoadState('networkidle');
};

test('every page of the site is among the screens', () => {
  const pages = Object.entries(PAGES).map(([id, { path }]) => ({ id, pattern: new URLPattern({ pathname: path }) }));
  const shown = SCREENS.map(({ path }) => path.replace(/[?#].*/, '')).map(
    (pathname) => pages.find(({ pattern }) => pattern.test({ pathname }))?.id,
  );
  expect(Object.keys(PAGES).filter((id) => !shown.includes(id))).toEqual([]);
});

for (const screen of SCREENS)
  test(`${screen.name} is sound in each theme at its widths`, async ({ browser }) => {
    const { page, problems, close } = await openAs(browser, screen);
    await show(page, screen);
    for (const theme of THEMES) {
      await setTheme(page, theme);
      for (const width of WIDTHS[theme]) {
        const where = `${screen.name} ${theme} ${width}`;
        await page.setViewportSize({ width, height: HEIGHT });
        await expectNoSidewaysScroll(page, where);
        await expectAccessible(page, where, ...(screen.isMenu ? ['region'] : []));
        await takePicture(page, `${screen.name}-${width}-${theme}`, !screen.open);
      }
      await expectNothingRefused(page, `${screen.name} ${theme}`);
      expect(problems, theme).toEqual([]);
    }
    await close();
  });

test('text of twice the size still fits into every page', async ({ browser }) => {
  for (const viewer of ['nobody', SELLER, 'admin'] as const) {
    const { page, close } = await openAs(browser, { viewer });
    // Sets the default font size of the browser, which the breakpoints follow: 1280 px then correspond to 640 px.
    const browserSettings = await page.context().newCDPSession(page);
    await browserSettings.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
    for (const screen of SCREENS.filter((one) => (one.viewer ?? 'nobody') === viewer && !one.open)) {
      await show(page, screen);
      // The panel's tables are for wide screens.
      for (const width of viewer === 'admin' ? [1280, 768] : [1280, 768, 390, 320]) {
        await page.setViewportSize({ width, height: HEIGHT });
        await expectNoSidewaysScroll(page, `${screen.name} at 200 %, ${width} px`);
      }
      await takePicture(page, `${screen.name}-768-large-text`, true);
    }
    await close();
  }
});
