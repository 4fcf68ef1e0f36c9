import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAlive } from './alive.ts';
import { createUser, newWord, SELLER, sendAs } from './content.ts';
import { PHONE } from './people.ts';
import { prepareScreens, type ScreenNames } from './screen-data.ts';

test.use(PHONE);

let names: ScreenNames;
test.beforeAll(async ({ baseURL }) => {
  names = await prepareScreens(baseURL ?? '');
});

const bar = (page: Page) => page.locator('[data-slot=tab-bar]');
const openAs = async (page: Page, path: string, viewer?: string): Promise<void> => {
  if (viewer) await page.addInitScript((id) => localStorage.setItem('testUser', id), viewer);
  await page.goto(path);
  await expectAlive(page);
};

test('the bar at the bottom leads to the five places, with targets of 44 px', async ({ page }) => {
  await openAs(page, '/safety-tips', SELLER);
  for (const [name, path] of [
    ['Home', '/'],
    ['Saved', '/dashboard?tab=saved'],
    ['Sell', '/create-ad'],
    [/^Inbox/, '/messages'],
    ['Me', '/dashboard'],
  ] as const) {
    const place = bar(page).getByRole('link', { name, exact: true });
    const box = await place.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    await place.click();
    await expect(page).toHaveURL(path);
    await expect(place).toHaveAttribute('aria-current', 'page');
  }
});

test('the bar gives way to a keyboard, to the bar of an ad, and to a wide window', async ({ page }) => {
  await openAs(page, '/contact');
  await expect(bar(page)).toBeVisible();
  await page.getByLabel('Subject').focus();
  await expect(bar(page)).toBeHidden();
  await page.getByLabel('Subject').blur();
  await expect(bar(page)).toBeVisible();
  await page.goto(`/ads/${names.get(':ad')}`);
  await expect(page.locator('[data-slot=bottom-bar]')).toBeVisible();
  await expect(bar(page)).toBeHidden();
  await page.goto('/contact');
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(bar(page)).toBeHidden();
});

test('the end of the page and a toast lie above the bar', async ({ page }) => {
  await openAs(page, '/', SELLER);
  const top = (await bar(page).boundingBox())?.y ?? 0;
  await expect
    .poll(async () => {
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      const end = await page.getByText(/^© 2025/).boundingBox();
      return end && end.y + end.height <= top;
    })
    .toBe(true);
  await page.route('**/api/ads/*/favorite', (route) => route.abort());
  await page
    .getByRole('button', { name: /^Save / })
    .last()
    .click();
  const toast = page.locator('[data-slot=toast]');
  await expect(toast).toBeVisible();
  await expect
    .poll(async () => {
      const box = await toast.boundingBox();
      return box && box.y > 400 && box.y + box.height <= top;
    })
    .toBe(true);
});

test('a message is answered in two taps from its push notification, and a notification read in two from home', async ({
  page,
  request,
}) => {
  const [seller, buyer] = [await createUser('Quick Seller'), await createUser('Quick Buyer')];
  const ad = {
    title: newWord('Zither'),
    description: 'In tune.',
    price: '90',
    priceType: 'negotiable',
    category: 'other',
  };
  const { id: adId } = await sendAs(request, seller.id, '/api/ads', ad);
  const offer = { adId, receiverId: seller.id, amount: '80' };
  const { offer: made } = await sendAs(request, buyer.id, '/api/offers', offer);
  await sendAs(request, seller.id, '/api/messages', { adId, receiverId: buyer.id, content: 'Come at six?' });
  let taps = 0;
  const tap = async (target: Locator) => {
    taps++;
    await target.tap();
  };

  // where the push notification of the message leads
  await openAs(page, `/messages/${adId}/${seller.id}`, buyer.id);
  await expect(page.getByLabel('Message', { exact: true }), 'no keyboard opens by itself').not.toBeFocused();
  await tap(page.getByLabel('Message', { exact: true }));
  await page.keyboard.insertText('At six.');
  await tap(page.getByRole('button', { name: 'Send Message' }));
  await expect(page.getByRole('log').getByText('At six.')).toBeVisible();
  expect(taps).toBeLessThanOrEqual(2);

  await sendAs(request, seller.id, `/api/offers/${made.id}/accept`, {});
  await page.goto('/');
  await expectAlive(page);
  taps = 0;
  await tap(bar(page).getByRole('link', { name: /^Inbox/ }));
  await tap(page.getByRole('tab', { name: /^Notifications/ }));
  await expect(page.getByText('Quick Seller accepted your offer of $80')).toBeVisible();
  expect(taps).toBeLessThanOrEqual(2);
});
