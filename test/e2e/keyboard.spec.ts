import { expect, type Page, test } from '@playwright/test';
import { expectAlive } from './alive.ts';
import { BUYER, listAds, SELLER } from './content.ts';

const press = async (page: Page, ...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};

test('the first key leads past the navigation', async ({ page }) => {
  await page.goto('/categories');
  await expectAlive(page);
  await press(page, 'Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await press(page, 'Enter', 'Tab');
  await expect(page.locator('main a').first()).toBeFocused();
});

test('a change of page moves the focus to its heading and says its title', async ({ page }) => {
  await page.goto('/');
  await expectAlive(page);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Categories' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Browse Categories' })).toBeFocused();
  await expect(page.locator('#announcer')).toHaveText(/^Browse Categories/);
});

test('dialogs keep the focus inside and give it back', async ({ page }) => {
  await page.goto('/');
  await expectAlive(page);
  const opener = page.getByRole('button', { name: 'Sign In' });
  await opener.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  for (let step = 0; step < 12; step++) {
    await press(page, 'Tab');
    expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  }
  await press(page, 'Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
});

test('menus are walked with the arrow keys and give the focus back', async ({ page }) => {
  await page.goto('/');
  await expectAlive(page);
  const button = page.getByRole('button', { name: 'Theme' });
  await button.press('Enter');
  await expect(page.getByRole('menuitemradio', { name: 'Light' })).toBeFocused();
  await press(page, 'ArrowDown');
  await expect(page.getByRole('menuitemradio', { name: 'Dark' })).toBeFocused();
  await press(page, 'Escape');
  await expect(button).toBeFocused();
  await expect(button).toHaveAttribute('aria-expanded', 'false');
});

test('the keys of an input method neither search nor close, nor empty the field', async ({ page }) => {
  const [ad] = await listAds(page.request, '?search=basketball');
  await page.addInitScript((id) => localStorage.setItem('testUser', id), BUYER);
  await page.goto(`/ads/${ad?.id}`);
  await expectAlive(page);
  const browser = await page.context().newCDPSession(page);
  const compose = async (text: string, ...keys: string[]): Promise<void> => {
    await browser.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
    for (const key of keys)
      for (const type of ['rawKeyDown', 'keyUp'] as const)
        await browser.send('Input.dispatchKeyEvent', { type, key, code: key, windowsVirtualKeyCode: 229 });
  };
  const search = page.getByRole('combobox', { name: 'Search ads' }).locator('visible=true');
  await search.pressSequentially('so');
  await expect(page.getByRole('listbox')).toBeVisible();
  await compose('ふぁ', 'ArrowDown', 'Enter', 'Escape');
  await expect(search).toHaveValue('soふぁ');
  await expect(page).toHaveURL(/ads\/\d+$/);

  await page.getByRole('button', { name: /^More actions for/ }).press('Enter');
  await page.getByRole('menuitem', { name: 'Report' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Details/).focus();
  await compose('東京', 'Escape');
  await expect(dialog).toBeVisible();
});

test('photos are turned, wrapped around and closed by keys alone', async ({ page }) => {
  const ad = (await listAds(page.request, '?search=basketball')).find(({ images }) => images.length === 3);
  await page.goto(`/ads/${ad?.id}`);
  await expectAlive(page);
  await page.getByRole('button', { name: /^View photo 1/ }).press('Enter');
  const viewer = page.getByRole('dialog');
  await expect(viewer.getByText('1 / 3')).toBeVisible();
  await press(page, 'ArrowLeft');
  await expect(viewer.getByText('3 / 3')).toBeVisible();
  await press(page, 'ArrowRight');
  await expect(viewer.getByText('1 / 3')).toBeVisible();
  await press(page, 'End');
  await expect(viewer.getByText('3 / 3')).toBeVisible();
  await press(page, 'Escape');
  await expect(viewer).toBeHidden();
});

test('an ad is written, given photos in another order, and left with a question, by keys alone', async ({ page }) => {
  await page.addInitScript((id) => localStorage.setItem('testUser', id), SELLER);
  await page.goto('/create-ad');
  const photo = (name: string) => ({ name, mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') });
  await page.getByLabel('Photos').setInputFiles([photo('first.png'), photo('second.png')]);
  await page.getByRole('button', { name: 'Change photo 2' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Make it the cover' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Change photo 1' })).toBeFocused();
  await page.getByRole('listitem', { name: 'second.png, photo 1 of 2' }).press('ArrowRight');
  await expect(page.getByRole('listitem', { name: 'second.png, photo 2 of 2' })).toBeFocused();
  await page.getByRole('button', { name: 'Remove photo 1' }).press('Enter');
  await expect(page.getByRole('listitem', { name: 'second.png, photo 1 of 1' })).toBeFocused();
  await page.getByRole('link', { name: /^Messages/ }).press('Enter');
  await expect(page.getByRole('alertdialog', { name: 'Leave this page?' })).toBeVisible();
  await press(page, 'Escape');
  await expect(page).toHaveURL(/create-ad$/);

  for (const { name, width } of [
    { name: 'Account', width: 1280 },
    { name: 'Menu', width: 390 },
  ]) {
    await test.step(`the question before logging out gives the focus back to ${name}`, async () => {
      await page.setViewportSize({ width, height: 800 });
      const opener = page.getByRole('button', { name, exact: true });
      await opener.press('Enter');
      await page.getByText('Logout').press('Enter');
      const question = page.getByRole('alertdialog', { name: 'Leave this page?' });
      await expect(question).toContainText('What you have not saved is lost when you log out.');
      await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
      await press(page, 'Enter');
      await expect(question).toBeHidden();
      await expect(opener).toBeFocused();
    });
  }
});

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
