import { expect, test } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, expectNothingRefused } from './audit.ts';
import { OVERLAYS } from './overlays.ts';
import { takePicture } from './pictures.ts';
import { prepareScreens, type ScreenNames, showScreen } from './screen-data.ts';
import { openAs, THEMES } from './viewers.ts';

let names: ScreenNames;

test.beforeAll(async ({ baseURL }) => {
  names = await prepareScreens(baseURL ?? '');
});

for (const theme of THEMES) {
  test(`what opens over a page is sound in ${theme}`, async ({ browser }) => {
    for (const overlay of OVERLAYS) {
      const { name, viewer, width, isRefused } = overlay;
      const { page, problems, close } = await openAs(browser, { viewer, theme, width });
      await showScreen(page, overlay, names);
      await page.waitForLoadState('networkidle');
      // A menu is rendered at the end of the body, outside of the landmarks.
      await expectAccessible(page, `${name} ${theme}`, ...(name.endsWith('-menu') ? ['region'] : []));
      await expectNoSidewaysScroll(page, `${name} ${theme}`);
      await expectNothingRefused(page, name);
      await takePicture(page, `over-${name}-${width}-${theme}`);
      const expected = (problem: string) => isRefused && problem.includes('status of 409');
      expect(
        problems.filter((problem) => !expected(problem)),
        name,
      ).toEqual([]);
      await close();
    }
  });
}
