import { writeFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { makePhoto } from '../harness/photos.ts';
import { expectAlive, expectSettled } from './alive.ts';
import { joinX, type Person, signInAs } from './people.ts';

// The users are unique per attempt, because a failed run starts again from the first step.
test.describe.configure({ mode: 'serial' });

const TITLE = 'Teak sideboard @home #vintage';
const POSTED_TITLE = 'Teak sideboard home vintage';
const SANDBOX = () => process.env.E2E_X_SANDBOX ?? '';

let seller: Person;
let buyer: Person;
let buyerName: string;
let adPath: string;
test.beforeAll(async ({ browser }) => {
  seller = await signInAs(browser, await joinX('harbour', { verified: true, subscription: 'PremiumPlus' }));
  buyerName = await joinX('priya');
  buyer = await signInAs(browser, buyerName, true);
});
test.afterAll(async () => {
  expect([...seller.problems, ...buyer.problems]).toEqual([]);
  await Promise.all([seller.close(), buyer.close()]);
});

const fillForm = async (page: Page) => {
  await page.getByLabel('Title', { exact: false }).first().fill(TITLE);
  await page.getByLabel('Description', { exact: false }).first().fill('1960s, three doors.');
  await page.getByLabel('Price', { exact: false }).first().fill('420');
  await page.getByLabel('Category', { exact: false }).first().selectOption({ label: 'Furniture' });
};
const box = (page: Page) => page.getByRole('checkbox', { name: 'Also post to my X account' });

test('the seller connects X from the form, in another tab, and loses nothing', async ({ browser: _ }, info) => {
  const { page } = seller;
  const photo = info.outputPath('sideboard.jpg');
  await writeFile(photo, await makePhoto({ kind: 'furniture', seed: 11 }));
  await page.goto('/create-ad');
  await page.locator('input[type=file]').setInputFiles([photo]);
  await fillForm(page);
  await expect(box(page)).toBeDisabled();
  await expect(box(page)).not.toBeChecked();
  const opened = page.context().waitForEvent('page');
  await page.getByRole('link', { name: 'Connect my X account' }).click();
  const consent = await opened;
  await expect(consent.getByText('Post and delete posts for you')).toBeVisible();
  await consent.getByRole('button', { name: 'Authorize app' }).click();
  await expect(consent.getByText('X connected').first()).toBeVisible();
  await consent.close();
  await page.bringToFront();
  await page.evaluate("window.dispatchEvent(new Event('focus'))");
  await expect(box(page)).toBeEnabled();
  await expect(page.getByLabel('Title', { exact: false }).first()).toHaveValue(TITLE);
  await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(1);
});

test('ticks the box, reads the text, and exactly that is on X, with a card of the ad', async () => {
  const { page } = seller;
  await box(page).check();
  const preview = page.locator('[data-slot=post-to-x] figure p');
  await expect(preview).toContainText(POSTED_TITLE);
  const previewed = (await preview.textContent()) ?? '';
  await page.getByRole('button', { name: 'Post Ad', exact: true }).click();
  await expect(page.getByText('is now live and posted to your X account!').first()).toBeVisible();
  await page.getByRole('link', { name: TITLE, exact: true }).first().click();
  const link = page.getByRole('link', { name: 'See the post on X' });
  await expect(link).toBeVisible();
  adPath = new URL(page.url()).pathname;

  const post = await page.context().newPage();
  await post.goto((await link.getAttribute('href')) ?? '');
  const text = previewed.replace('…', adPath.split('/').at(-1) ?? '');
  await expect(post.locator('.post p')).toHaveText(text);
  await expect(post.locator('.link-card')).toContainText(TITLE);
  await expect(post.locator('.link-card img')).toHaveJSProperty('complete', true);
  await expect(post.getByText(/^Card:/)).toHaveCount(0);
  await post.close();
});

test('the box stays ticked for the next ad', async () => {
  await seller.page.goto('/create-ad');
  await expect(box(seller.page)).toBeChecked();
});

test('the buyer agrees to posts of favorites after seeing one, and the toast tells the truth both times', async () => {
  const { page } = buyer;
  await page.goto(adPath);
  await expectAlive(page);
  const save = page.getByRole('button', { name: /^Save/ }).first();
  await save.click();
  await expect(page.getByText('This ad has been saved to your favorites', { exact: true }).first()).toBeVisible();
  await save.click();
  await expect(page.getByText('Removed from favorites').first()).toBeVisible();

  await page.goto('/preferences');
  await page.getByRole('link', { name: `Connect @${buyerName} for posting` }).click();
  await page.getByRole('button', { name: 'Authorize app' }).click();
  await expect(page.getByText('X connected').first()).toBeVisible();
  await page.getByRole('switch', { name: 'Post my favorites to X' }).click();
  await expect(page.getByRole('dialog').getByText('Saved this ad: Vintage desk lamp')).toBeVisible();
  await page.getByRole('button', { name: 'I agree' }).click();
  await expect(page.getByText(/You agreed on/)).toBeVisible();
  await expectSettled(page);

  await page.goto(adPath);
  await expectAlive(page);
  await page.getByRole('button', { name: /^Save/ }).first().click();
  await expect(
    page.getByText('This ad has been saved to your favorites and posted to your X account!').first(),
  ).toBeVisible();
  await expect
    .poll(async () => (await page.request.get(`${SANDBOX()}/${buyerName}`)).text())
    .toContain(`Saved this ad: ${POSTED_TITLE}`);
});

test('disconnecting takes the app off the list at X', async () => {
  const { page } = buyer;
  await page.goto('/preferences');
  await page.getByRole('button', { name: 'Disconnect from X' }).click();
  await page.getByRole('button', { name: 'Disconnect', exact: true }).click();
  await expect(page.getByRole('link', { name: `Connect @${buyerName} for posting` })).toBeVisible();
  // a job revokes the consent at X
  await expect
    .poll(async () => {
      await page.goto(`${SANDBOX()}/settings/connected_apps`);
      return page.getByText('Post and delete posts for you').count();
    })
    .toBe(0);
});
