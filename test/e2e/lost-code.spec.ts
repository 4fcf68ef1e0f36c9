import { expect, type Page, test } from '@playwright/test';
import { expectAlive } from './alive.ts';

/** Drops the first matching requests, as a broken network does. Returns a function that counts all of them. */
const lose = async (page: Page, pattern: string, times: number): Promise<() => number> => {
  let asked = 0;
  await page.route(pattern, (route) => (++asked > times ? route.fallback() : route.abort('failed')));
  return () => asked;
};
const markDocument = (page: Page) => page.evaluate(() => Object.assign(window, { isFirst: true }));
const isFirstDocument = (page: Page) => page.evaluate(() => 'isFirst' in window);

/**
 * Whether the browser caches a failed module import and never requests it again, as Chromium 150 does. Then the page
 * must reload.
 */
let remembersFailures = false;
test.beforeAll(async ({ browser, baseURL }) => {
  const page = await browser.newPage({ ...(baseURL !== undefined && { baseURL }) });
  let asked = 0;
  await page.route('**/assets/probe.js', (route) =>
    ++asked === 1 ? route.abort('failed') : route.fulfill({ contentType: 'text/javascript', body: '' }),
  );
  await page.goto('/safety-tips');
  const path = '/assets/probe.js';
  remembersFailures = await page.evaluate(async (probe) => {
    await import(probe).catch(() => {});
    return import(probe).then(
      () => false,
      () => true,
    );
  }, path);
  await page.close();
});
/** A reloaded page must not fail again, because it reloads only once a minute. */
const losses = () => (remembersFailures ? 1 : 2);

for (const [what, pattern] of [
  ['entry', '**/assets/index-*.js'],
  ['shared code', '**/assets/react-*.js'],
  ['page', '**/assets/safety-tips-*.js'],
] as const)
  test(`a page whose ${what} is lost on its way asks for it again and comes alive`, async ({ page }) => {
    const count = await lose(page, pattern, losses());
    await page.goto('/safety-tips');
    await markDocument(page);
    await expectAlive(page);
    expect(count()).toBeGreaterThan(losses());
    if (!remembersFailures) expect(await isFirstDocument(page), 'without being loaded again').toBe(true);
  });

test('a preload that is lost on its way is fetched again: WebKit would keep the loss for later imports', async ({
  page,
}) => {
  await lose(page, '**/assets/safety-tips-*.js', losses());
  const fetched = page.waitForRequest(
    (request) => request.resourceType() === 'fetch' && /\/safety-tips-/.test(request.url()),
  );
  await page.goto('/safety-tips');
  await fetched;
  await expectAlive(page);
});

test('styles that are lost on their way are asked for again', async ({ page }) => {
  const count = await lose(page, '**/assets/*.css', 1);
  await page.goto('/safety-tips');
  await expect(page.getByRole('link', { name: 'Skip to content' })).not.toBeInViewport();
  expect(count()).toBe(2);
});

test('a dialog whose code is lost on its way opens all the same', async ({ page }) => {
  await page.goto('/safety-tips');
  await expectAlive(page);
  await markDocument(page);
  const count = await lose(page, '**/assets/sign-in-dialog-*.js', losses());
  await page.getByRole('button', { name: 'Sign In' }).click();
  if (remembersFailures) {
    await expect.poll(() => isFirstDocument(page)).toBe(false);
    await expectAlive(page);
    await page.getByRole('button', { name: 'Sign In' }).click();
  }
  await expect(page.getByRole('dialog', { name: /^Welcome to/ })).toBeVisible();
  expect(count()).toBeGreaterThan(losses());
  if (!remembersFailures) expect(await isFirstDocument(page)).toBe(true);
});

test('an entry that is gone for good makes the page load again, once', async ({ page }) => {
  let documents = 0;
  page.on('request', (request) => (request.isNavigationRequest() ? documents++ : 0));
  await page.route('**/assets/index-*.js', (route) =>
    documents < 2 ? route.fulfill({ status: 404 }) : route.fallback(),
  );
  await page.goto('/safety-tips');
  await expectAlive(page);
  expect(documents).toBe(2);
});

test('where the browser remembers a failed module, the page loads again once and keeps what was typed', async ({
  page,
}) => {
  let documents = 0;
  page.on('request', (request) => (request.isNavigationRequest() ? documents++ : 0));
  // In the first document the module always fails, although the server has it.
  await page.route('**/assets/sign-in-dialog-*.js', (route) =>
    documents < 2 && route.request().method() === 'GET' ? route.abort('failed') : route.fallback(),
  );
  await page.goto('/contact');
  await page.getByLabel('Subject').fill('A question about my ad');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect.poll(() => documents).toBe(2);
  await expect(page.getByLabel('Subject')).toHaveValue('A question about my ad');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('dialog', { name: /^Welcome to/ })).toBeVisible();
  expect(documents).toBe(2);
});
