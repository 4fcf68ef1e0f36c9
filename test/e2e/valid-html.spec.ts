import { expect, test } from '@playwright/test';
import { findHtmlErrors, findMissingValidator } from './html-validator.ts';
import { prepareOverlays } from './overlay-data.ts';
import { OVERLAYS } from './overlays.ts';
import { signInAs } from './people.ts';
import { addressOf, prepareScreens, type ScreenNames, showScreen } from './screen-data.ts';
import { SCREENS } from './screens.ts';
import { HEIGHT, openAs } from './viewers.ts';

const missing = findMissingValidator();
test.skip(missing !== undefined, missing ?? '');

let names: ScreenNames;
test.beforeAll(async ({ baseURL }) => {
  names = await prepareScreens(baseURL ?? '');
  await prepareOverlays(baseURL ?? '', names);
});

test('the first HTML of every page is valid for a visitor, a member and an administrator', async ({ browser }) => {
  const documents = new Map<string, string>();
  const visitor = await browser.newContext();
  const member = await signInAs(browser, 'seller_one');
  const administrator = await openAs(browser, { viewer: 'admin' });
  const viewers = { visitor: visitor.request, member: member.page.request, administrator: administrator.page.request };
  const screens = SCREENS.filter(({ open }) => !open);
  for (const [viewer, request] of Object.entries(viewers))
    for (const screen of screens) {
      const response = await request.get(addressOf(screen, names));
      expect(response.status(), `${screen.name} as ${viewer}`).toBe(screen.isMissing ? 404 : 200);
      documents.set(`${viewer}-${screen.name}`, await response.text());
    }
  expect(documents.size).toBe(3 * screens.length);
  expect(findHtmlErrors(documents)).toEqual([]);
  await Promise.all([visitor.close(), member.close(), administrator.close()]);
});

test('every page stays valid in the browser, with what opens over it', async ({ browser }) => {
  test.skip(!process.env.HTML_IN_BROWSER, '`make html` also checks every page and dialog in the browser');
  const documents = new Map<string, string>();
  const screens = [
    ...SCREENS.map((screen) => ({ ...screen, width: 1280 })),
    ...OVERLAYS.map((overlay) => ({ ...overlay, name: `over-${overlay.name}` })),
  ];
  for (const viewer of new Set(screens.map((screen) => screen.viewer))) {
    const { page, close } = await openAs(browser, { viewer });
    for (const screen of screens.filter((one) => one.viewer === viewer)) {
      await page.setViewportSize({ width: screen.width, height: HEIGHT });
      await showScreen(page, screen, names);
      documents.set(screen.name, await page.content());
    }
    await close();
  }
  expect(documents.size).toBe(screens.length);
  expect(findHtmlErrors(documents)).toEqual([]);
});
