import { expect, type Page, test } from '@playwright/test';
import { makePhoto } from '../harness/photos.ts';
import { expectAlive } from './alive.ts';
import { newWord } from './content.ts';
import { inspect } from './inspect.ts';
import { joinX, signInAs } from './people.ts';

const takePhoto = async (seed: number) => ({
  name: `photo-${seed}.jpg`,
  mimeType: 'image/jpeg',
  buffer: await makePhoto({ kind: 'furniture', seed, width: 1600, height: 1200 }),
});

const openForm = async (page: Page) => {
  await page.goto('/create-ad');
  await expectAlive(page);
};

const photos = (page: Page) => page.getByRole('listitem', { name: /, photo \d of \d$/ });
const progress = (page: Page) => page.getByRole('progressbar', { name: /^Uploading photo/ });

test('photos are sent while the seller types, stay with the draft, and are in the ad', async ({ browser }) => {
  const title = `${newWord('Shelf')} with three boards`;
  const seller = await signInAs(browser, await joinX('shelves'), true);
  const { page } = seller;
  await openForm(page);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/photos', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByLabel('Photos').setInputFiles([await takePhoto(31), await takePhoto(32)]);
  await expect(progress(page)).toHaveCount(2);
  await inspect(page, 'photos-uploading');
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Description').fill('Birch, dismantled.');
  release();
  await expect(progress(page)).toHaveCount(0);

  await page.reload();
  await expectAlive(page);
  await expect(photos(page)).toHaveCount(2);
  await expect(page.getByLabel('Title')).toHaveValue(title);
  await page.getByRole('textbox', { name: 'Price' }).fill('40');
  await page.getByLabel('Category').selectOption({ label: 'Furniture' });
  await page.getByRole('button', { name: 'Change photo 2' }).click();
  await page.getByRole('menuitem', { name: 'Make it the cover' }).click();
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/ads'));
  await page.getByRole('button', { name: 'Post Ad', exact: true }).click();
  expect((await sent).postData()?.length).toBeLessThan(1000);
  await page.waitForURL('**/dashboard');
  await page.getByRole('link', { name: title, exact: true }).click();
  await expect(page.getByRole('button', { name: /^View photo/ })).toHaveCount(2);
  expect(seller.problems).toEqual([]);
  await seller.close();
});

test('an upload that fails can be tried again, and the ad waits for it', async ({ browser }) => {
  const title = `${newWord('Stool')} for the bath`;
  const seller = await signInAs(browser, await joinX('stools'), true);
  const { page } = seller;
  await openForm(page);
  await page.route('**/api/photos', (route) => route.abort());
  await page.getByLabel('Photos').setInputFiles([await takePhoto(33)]);
  await expect(page.getByText('Photo 1: It could not be uploaded.')).toBeVisible();
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Description').fill('White.');
  await page.getByRole('textbox', { name: 'Price' }).fill('10');
  await page.getByLabel('Category').selectOption({ label: 'Furniture' });
  const post = page.getByRole('button', { name: 'Post Ad', exact: true });
  await post.click();
  await expect(page.locator('[data-error]')).toBeFocused();
  await expect(page.locator('[data-error]')).toHaveText(/^Not every photo is uploaded\./);
  await inspect(page, 'photos-failed');

  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.unroute('**/api/photos');
  await page.route('**/api/photos', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Try again to upload photo 1' }).click();
  await expect(progress(page)).toBeVisible();
  await post.click();
  await expect(page.getByRole('button', { name: 'Uploading photos…' })).toBeVisible();
  release();
  await page.waitForURL('**/dashboard');
  await expect(page.getByRole('link', { name: title, exact: true })).toBeVisible();
  await seller.close();
});
