import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import sharp from 'sharp';
import { makePhoto } from '../harness/photos.ts';
import { expectAlive, expectSettled } from './alive.ts';
import { newWord } from './content.ts';
import { signInAs } from './people.ts';

// Unique per attempt, because an earlier one may have left its ad.
const WOOD = newWord('Walnut');
const TITLE = `${WOOD} writing desk with brass handles`;
const QUESTION = 'Is the desk still available? I could come on Saturday.';
const ANSWER = 'Yes, Saturday morning works. It fits into a station wagon.';

test('two people do the whole main job: post, find, save, ask, answer, sell', async ({ browser }, info) => {
  const upright = info.outputPath('upright.jpg');
  const side = info.outputPath('side.jpg');
  // 12 megapixels as a phone in portrait orientation stores them: rotated by EXIF, with GPS position and author.
  await writeFile(
    upright,
    await makePhoto({ kind: 'furniture', seed: 7, width: 3024, height: 4032, orientation: 6, gps: true }),
  );
  await writeFile(side, await makePhoto({ kind: 'furniture', seed: 8, gps: true }));
  expect((await sharp(upright).metadata()).exif).toBeDefined();

  const seller = await signInAs(browser, 'mayalindqvist');
  const buyer = await signInAs(browser, 'tomokafor', true);

  await test.step('the seller posts an ad with photographs', async () => {
    const { page } = seller;
    await page
      .getByRole('button', { name: 'Post', exact: true })
      .or(page.getByRole('link', { name: 'Post', exact: true }))
      .first()
      .click();
    await expect(page.getByRole('heading', { name: 'Post a New Ad' })).toBeVisible();
    await page.locator('input[type=file]').setInputFiles([upright, side]);
    await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(2);
    await page.getByLabel('Title', { exact: false }).first().fill(TITLE);
    await page
      .getByLabel('Description', { exact: false })
      .first()
      .fill(`Solid ${WOOD}, three drawers, 1960s.\nSmall scratch on the left side.`);
    await page.getByLabel('Price', { exact: false }).first().fill('349.50');
    await page.getByLabel('Category', { exact: false }).first().selectOption({ label: 'Furniture' });
    await page.getByText('More details').click();
    await page.getByLabel('Location', { exact: false }).first().fill('Portland, OR');
    await page.getByRole('button', { name: 'Post Ad', exact: true }).click();
    await expect(page.getByText('Ad created!').first()).toBeVisible();
    await page.waitForURL('**/dashboard');
    await expect(page.getByRole('link', { name: TITLE, exact: true })).toBeVisible();
  });

  await test.step('the buyer finds it by browsing its category', async () => {
    await buyer.page.goto('/categories');
    await buyer.page
      .getByRole('link', { name: /Furniture/ })
      .first()
      .click();
    await expect(buyer.page.getByRole('link', { name: TITLE, exact: true })).toBeVisible();
  });

  await test.step('and by searching for words of its text, in any case', async () => {
    await buyer.page.goto('/');
    await buyer.page.goto(`/?search=${WOOD.toUpperCase()}+drawer`);
    await expectAlive(buyer.page);
    await expect(buyer.page.getByRole('link', { name: TITLE, exact: true })).toBeVisible();
    await expect(buyer.page.getByText('1 result', { exact: true })).toBeVisible();
  });

  await test.step('saves it, opens it and sees it upright', async () => {
    const { page } = buyer;
    await page.getByRole('button', { name: `Save ${TITLE}` }).click();
    await expect(page.getByText('Added to favorites').first()).toBeVisible();
    await page.getByRole('link', { name: TITLE, exact: true }).click();
    await expect(page.getByRole('heading', { name: TITLE, level: 1 })).toBeVisible();
    await expect(page.getByText('$349.50').first()).toBeVisible();
    const served = await page.request.get(
      (await (await page.request.get(`/api${new URL(page.url()).pathname}`)).json()).imageUrls[0],
    );
    const picture = await served.body();
    const meta = await sharp(picture).metadata();
    expect(meta).toMatchObject({ format: 'jpeg', width: 900, height: 1200 });
    expect(meta.exif, 'no place, no camera, no author').toBeUndefined();
    expect(meta.orientation ?? 1).toBe(1);
    expect(picture.includes('Secret Author')).toBe(false);
    await page.screenshot({ path: join(info.outputDir, 'ad-phone.png') });
  });

  await test.step('and writes to the seller', async () => {
    const { page } = buyer;
    await page.getByRole('button', { name: 'Contact Seller' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByPlaceholder('Write your message...').fill(QUESTION);
    await dialog.getByRole('button', { name: 'Send Message' }).click();
    await expect(dialog.getByText(QUESTION)).toBeVisible();
  });

  await test.step('the seller sees it in the inbox and answers', async () => {
    const { page } = seller;
    await page.goto('/messages');
    // The same users may have another conversation about another ad.
    const card = page.locator('[data-slot=card]').filter({ hasText: TITLE });
    await expect(card.getByText('1 new')).toBeVisible();
    await card.getByRole('link', { name: 'View Conversation' }).click();
    await expect(page.getByRole('log').getByText(QUESTION)).toBeVisible();
    await page.getByPlaceholder('Write your message...').fill(ANSWER);
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expect(page.getByRole('log').getByText(ANSWER)).toBeVisible();
    await expect(buyer.page.getByRole('dialog').getByText(ANSWER), 'the dialog polls').toBeVisible();
  });

  await test.step('and marks it sold, which the buyer sees', async () => {
    const { page } = seller;
    await page.goto('/dashboard');
    await page.getByRole('link', { name: TITLE, exact: true }).click();
    await page.getByRole('button', { name: 'Mark as Sold', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Who bought it?' });
    await dialog.getByRole('radio', { name: 'Somebody else' }).check();
    await dialog.getByRole('button', { name: 'Mark as Sold' }).click();
    await expect(page.getByText('Marked as sold').first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Mark as Available' })).toBeVisible();
    await buyer.page.reload();
    await expect(buyer.page.getByText('Sold', { exact: true }).first()).toBeVisible();
    // a page that was reloaded under a dialog goes back over its entry, which would end a navigation that begins now
    await expectAlive(buyer.page);
    await expectSettled(buyer.page);
    await buyer.page.goto('/dashboard');
    await expect(buyer.page.getByText('Sold', { exact: true }).first()).toBeVisible();
  });

  expect(seller.problems).toEqual([]);
  expect(buyer.problems).toEqual([]);
  await seller.close();
  await buyer.close();
});
