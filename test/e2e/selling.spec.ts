import { expect, type Locator, type Page, test } from '@playwright/test';
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

test('on a phone an ad is posted, lowered, copied, paused and resumed in few taps', async ({ browser }) => {
  const title = `${newWord('Sideboard')} in walnut`;
  const seller = await signInAs(browser, await joinX('sideboards'), true);
  const { page } = seller;
  let taps = 0;
  const tap = async (target: Locator) => {
    taps++;
    await target.tap();
  };
  const type = async (field: Locator, text: string) => {
    await tap(field);
    await field.fill(text);
  };

  await test.step('an ad with two photos', async () => {
    await page.goto('/create-ad');
    await expectAlive(page);
    const chooser = page.waitForEvent('filechooser');
    await tap(page.getByRole('button', { name: 'Browse photos' }));
    await (await chooser).setFiles([await takePhoto(61), await takePhoto(62)]);
    // two in the phone's own picker
    taps += 2;
    await type(page.getByLabel('Title'), title);
    await type(page.getByRole('textbox', { name: 'Price' }), '240');
    await tap(page.getByLabel('Category'));
    await page.getByLabel('Category').selectOption({ label: 'Furniture' });
    await type(page.getByLabel('Description'), 'Three doors, from 1965.');
    await inspect(page, 'create-filled');
    await tap(page.getByRole('button', { name: 'Post Ad', exact: true }));
    await expect(page.getByRole('heading', { name: 'It is live' })).toBeFocused();
    expect(taps).toBeLessThanOrEqual(9);
    await inspect(page, 'posted');
  });

  await test.step('a lower price', async () => {
    taps = 0;
    await tap(page.getByRole('button', { name: `Lower price ${title}` }));
    await page.getByRole('textbox', { name: 'New price' }).fill('200');
    await inspect(page, 'lower-price');
    await tap(page.getByRole('button', { name: 'Lower price', exact: true }));
    await expect(page.getByText('Price lowered to $200', { exact: true })).toBeVisible();
    expect(taps).toBeLessThanOrEqual(3);
  });

  const more = async (action: string) => {
    await page.getByRole('button', { name: `More for ${title}` }).tap();
    await page.getByRole('menuitem', { name: action }).tap();
  };
  await test.step('a pause', async () => {
    await more('Pause');
    await expect(page.getByText('Ad paused', { exact: true })).toBeVisible();
    await expect(page.getByText('Paused', { exact: true })).toBeVisible();
    await more('Resume');
    await expect(page.getByText('Ad resumed', { exact: true })).toBeVisible();
  });

  await test.step('a copy, which the site asks about', async () => {
    await more('Duplicate');
    await expect(page.getByLabel('Title')).toHaveValue(title);
    await expect(page.getByLabel('Category')).toHaveValue('furniture');
    await expect(page.getByRole('listitem', { name: /, photo \d of 2$/ })).toHaveCount(2);
    await page.getByRole('button', { name: 'Post Ad', exact: true }).tap();
    await expect(page.getByText('You already have a similar ad.')).toBeVisible();
    await inspect(page, 'similar-ad');
    await page.getByRole('button', { name: 'Post anyway' }).tap();
    await expect(page.getByRole('heading', { name: 'It is live' })).toBeVisible();
  });

  await test.step('both at once', async () => {
    await selectAll(page);
    await inspect(page, 'my-ads-selected');
    page.once('dialog', (dialog) => dialog.accept());
    await page.getByRole('group', { name: 'Selected ads' }).getByRole('button', { name: 'Delete' }).tap();
    await expect(page.getByText('2 ads deleted.')).toBeVisible();
  });
  // the browser's word for the question about the similar ad
  expect(seller.problems).toEqual([expect.stringMatching(/ 409 \(Conflict\) .*\/api\/ads\)$/)]);
  await seller.close();
});

const selectAll = async (page: Page) => {
  await page
    .getByRole('checkbox', { name: /^Select / })
    .first()
    .check();
  await page.getByRole('button', { name: 'Select all' }).tap();
  await expect(page.getByText('2 selected')).toBeVisible();
};
