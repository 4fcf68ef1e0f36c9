import { type Browser, expect, type Page, test } from '@playwright/test';
import { expectAlive, expectSettled } from './alive.ts';
import { BUYER, deleteAds, newWord, postAds, SELLER } from './content.ts';
import { PHONE } from './people.ts';
import { prepareScreens, type ScreenNames } from './screen-data.ts';

let names: ScreenNames;

test.beforeAll(async ({ baseURL }) => {
  names = await prepareScreens(baseURL ?? '');
});

const openPhone = async (browser: Browser, path: string, viewer?: string): Promise<Page> => {
  const page = await (await browser.newContext(PHONE)).newPage();
  if (viewer) await page.addInitScript((id) => localStorage.setItem('testUser', id), viewer);
  await page.goto(path);
  await expectAlive(page);
  return page;
};

const adPath = (): string => `/ads/${names.get(':ad')}`;
const viewer = (page: Page) => page.getByRole('dialog', { name: /^Photos of/ });
const openViewer = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^View photo 1/ }).click();
  await expect(viewer(page)).toBeVisible();
};
const pathOf = (page: Page): string => new URL(page.url()).pathname + new URL(page.url()).search;
test('Back closes the photo viewer, on a page reached by a link and on a direct visit', async ({ browser }) => {
  const page = await openPhone(browser, '/how-it-works');
  await page.goto('/');
  await page.locator(`a[href="${adPath()}"]`).first().click();
  await expect(page).toHaveURL(new RegExp(`${adPath()}$`));
  // the address changes before the page does, which begins at its top
  await expect(page.getByRole('button', { name: /^View photo 1/ })).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, 120));
  // a click of Playwright would scroll the whole photo into view
  await page.mouse.click(PHONE.viewport.width / 2, 150);
  await expect(viewer(page)).toBeVisible();
  const scrolled = await page.evaluate(() => window.scrollY);
  expect(scrolled).toBeGreaterThan(0);
  await page.goBack();
  await expect(viewer(page)).toHaveCount(0);
  expect(pathOf(page)).toBe(adPath());
  expect(await page.evaluate(() => window.scrollY)).toBe(scrolled);

  // Forward does not open it again, and costs nothing.
  await page.goForward();
  await expectSettled(page);
  await expect(viewer(page)).toHaveCount(0);
  await openViewer(page);
  await page.getByRole('button', { name: 'Close viewer' }).click();
  await expectSettled(page);
  await openViewer(page);
  await page.keyboard.press('Escape');
  await expectSettled(page);

  // After a reload, it is closed.
  await openViewer(page);
  await page.reload();
  await expectAlive(page);
  await expectSettled(page);
  await page.goBack();
  await expect.poll(() => pathOf(page)).toBe('/');
  await page.goBack();
  await expect.poll(() => pathOf(page)).toBe('/how-it-works');

  const direct = await openPhone(browser, adPath());
  await openViewer(direct);
  await direct.goBack();
  await expect(viewer(direct)).toHaveCount(0);
  expect(pathOf(direct)).toBe(adPath());
  await Promise.all([page.context().close(), direct.context().close()]);
});

test('Back closes the drawer, and after a link in it leads to where the drawer was opened', async ({ browser }) => {
  const page = await openPhone(browser, '/safety-tips');
  const drawer = page.getByRole('dialog', { name: 'Menu' });
  const openDrawer = async () => {
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect(drawer).toBeVisible();
  };
  await openDrawer();
  await page.goBack();
  await expect(drawer).toHaveCount(0);
  expect(pathOf(page)).toBe('/safety-tips');
  await openDrawer();
  await drawer.getByRole('link', { name: 'Categories' }).click();
  await expect.poll(() => pathOf(page)).toBe('/categories');
  await expectSettled(page);
  await openDrawer();
  // a link to the page itself
  await drawer.getByRole('link', { name: 'Categories' }).click();
  await expect(drawer).toHaveCount(0);
  await expectSettled(page);
  await page.goBack();
  await expect.poll(() => pathOf(page)).toBe('/safety-tips');
  await page.goForward();
  await expect.poll(() => pathOf(page)).toBe('/categories');

  // One overlay opens another.
  await openDrawer();
  await drawer.getByRole('button', { name: 'Sign In' }).click();
  const signIn = page.getByRole('dialog', { name: /^Welcome/ });
  await expect(signIn).toBeVisible();
  await expectSettled(page);
  await page.goBack();
  await expect(signIn).toHaveCount(0);
  expect(pathOf(page)).toBe('/categories');
  await page.goBack();
  await expect.poll(() => pathOf(page)).toBe('/safety-tips');
  await page.context().close();
});

for (const way of ['Back', 'its button'])
  test(`the sheet of filters, closed with ${way}, leaves one entry with what was chosen`, async ({ browser }) => {
    const page = await openPhone(browser, '/categories');
    await page.getByRole('link', { name: 'Furniture' }).first().waitFor();
    await page.goto('/');
    await expectAlive(page);
    const sheet = page.getByRole('dialog', { name: 'Filters' });
    await page.getByRole('button', { name: 'Filters' }).click();
    const chosen = '/?condition=good&showSold=true&withPhotos=true';
    for (const [box, address] of [
      ['Good', '/?condition=good'],
      ['Show sold', '/?condition=good&showSold=true'],
      ['With photos', chosen],
    ] as const) {
      await sheet.getByLabel(box).click();
      await expect.poll(() => pathOf(page)).toBe(address);
    }
    if (way === 'Back') await page.goBack();
    else await sheet.getByRole('button', { name: 'Close filters' }).click();
    await expect(sheet).toHaveCount(0);
    await expectSettled(page);
    expect(pathOf(page)).toBe(chosen);
    await expect(page.getByRole('button', { name: 'Remove filter Good' })).toBeVisible();
    await page.goBack();
    await expect.poll(() => pathOf(page)).toBe('/');
    await expect(page.getByRole('button', { name: 'Remove filter Good' })).toHaveCount(0);
    await page.goForward();
    await expect.poll(() => pathOf(page)).toBe(chosen);
    await page.goBack();
    await expect.poll(() => pathOf(page)).toBe('/');
    await page.goBack();
    await expect.poll(() => pathOf(page)).toBe('/categories');
    await page.context().close();
  });

test('Back closes the drawer over a changed form before it asks whether to leave', async ({ browser }) => {
  const page = await openPhone(browser, adPath(), SELLER);
  await page.getByRole('link', { name: 'Edit Ad' }).click();
  await page.getByLabel('Title').fill('Changed');
  const drawer = page.getByRole('dialog', { name: 'Menu' });
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(drawer).toBeVisible();
  await page.goBack();
  await expect(drawer).toHaveCount(0);
  const question = page.getByRole('alertdialog', { name: 'Leave this page?' });
  await expect(question).toHaveCount(0);
  await page.goBack();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toHaveCount(0);
  await expect.poll(() => pathOf(page), 'the router has taken Back back').toBe(`${adPath()}/edit`);
  await expect(page.getByLabel('Title')).toHaveValue('Changed');
  await page.goBack();
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect.poll(() => pathOf(page)).toBe(adPath());
  await page.context().close();
});

test('Back and Forward lead to lists that show what an edit changed', async ({ browser, request }) => {
  const word = newWord('Footstool');
  const ids = await postAds(request, 1, word, { category: 'furniture' });
  const page = await openPhone(browser, '/', SELLER);
  const card = (title: string) => page.getByRole('main').getByRole('link', { name: title }).first();
  const expectOnlyNew = async () => {
    await expect(card(`${word} in oak`)).toBeVisible();
    await expect(card(`${word} no. 1`)).toHaveCount(0);
  };
  await expect(card(`${word} no. 1`)).toBeVisible();
  await page.getByRole('navigation', { name: 'Popular categories' }).getByRole('link', { name: 'Furniture' }).click();
  await expect.poll(() => pathOf(page)).toBe('/?category=furniture');
  await card(`${word} no. 1`).click();
  await page.getByRole('link', { name: 'Edit Ad' }).click();
  await page.getByLabel('Title').fill(`${word} in oak`);
  await page.getByRole('button', { name: 'Update Ad' }).click();
  await expect(page.getByRole('heading', { level: 1, name: `${word} in oak` })).toBeVisible();
  await page.goBack();
  await expect.poll(() => pathOf(page)).toBe('/?category=furniture');
  await expectOnlyNew();
  await page.goBack();
  await expect.poll(() => pathOf(page)).toBe('/');
  await expectOnlyNew();
  await page.goForward();
  await expect.poll(() => pathOf(page)).toBe('/?category=furniture');
  await expectOnlyNew();
  await page.context().close();
  await deleteAds(request, ids);
});

test('Back closes a dialog', async ({ browser }) => {
  const page = await openPhone(browser, adPath(), BUYER);
  const contact = page.getByRole('dialog', { name: /Contact|Message/ });
  await page.getByRole('button', { name: 'Contact Seller' }).last().click();
  await expect(contact).toBeVisible();
  await page.goBack();
  await expect(contact).toHaveCount(0);
  expect(pathOf(page)).toBe(adPath());
  await page.context().close();
});

test('an ad that one comes back to from a similar one is where it was left', async ({ browser }) => {
  const page = await openPhone(browser, adPath());
  for (let i = 0; i < 12; i += 1) {
    await page.mouse.wheel(0, 600);
    await page.waitForTimeout(60);
  }
  const similar = page.getByRole('region', { name: /^(Similar ads|More from)/ }).last();
  await similar.getByRole('link').last().scrollIntoViewIfNeeded();
  await page.waitForLoadState('networkidle');
  const left = await page.evaluate(() => window.scrollY);
  await similar.getByRole('link').last().click();
  await expect(page).not.toHaveURL(new RegExp(`${adPath()}$`));
  await page.waitForLoadState('networkidle');
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`${adPath()}$`));
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(left);
  await page.context().close();
});
