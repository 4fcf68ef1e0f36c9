import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import type { Notification as Notified } from '../../contract/notifications.ts';
import { expectAlive } from './alive.ts';
import { expectAccessible, expectNoSidewaysScroll } from './audit.ts';
import type { CloudMessaging } from './cloud-messaging.ts';
import { createUser, sendAs } from './content.ts';
import { setTheme } from './inspect.ts';
import { joinX, signInOn } from './people.ts';
import { takePicture } from './pictures.ts';
import { clickNotification, openPushBrowser, type PushBrowser, recordBrowser } from './push-browser.ts';

let browser: PushBrowser;
let cloud: CloudMessaging;
let context: BrowserContext;

test.beforeAll(async () => {
  browser = await openPushBrowser();
  ({ cloud, context } = browser);
});
test.afterAll(() => browser.close());

const openSettings = async (page: Page) => {
  await page.goto('/preferences');
  await expectAlive(page);
};
const enableButton = (page: Page) => page.getByRole('button', { name: 'Enable push notifications' });
const disableButton = (page: Page) => page.getByRole('button', { name: 'Disable on this device' });
const hasSubscription = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    return (await registration?.pushManager.getSubscription()) != null;
  });
const listDevices = async (page: Page): Promise<{ endpoint: string }[]> =>
  (await page.request.get('/api/push/subscriptions')).json();

const inspect = async (page: Page, name: string): Promise<void> => {
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    for (const width of [320, 390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      await page.locator('[data-slot=push]').scrollIntoViewIfNeeded();
      await expectNoSidewaysScroll(page, `${name} ${theme} ${width}`);
      await expectAccessible(page, `${name} ${theme} ${width}`);
      await takePicture(page, `push-${name}-${width}-${theme}`);
    }
  }
};

/** Notifies the person of the page: a moderator dismisses their report of an ad. Returns the notification. */
const notify = async (page: Page): Promise<Notified> => {
  const seller = await createUser('Push Seller');
  const moderator = await createUser('Push Moderator', 'moderator');
  const { id: targetId } = await sendAs(page.request, seller.id, '/api/ads', {
    title: `Lamp ${seller.username}`,
    description: 'Bright.',
    price: '10',
    category: 'other',
  });
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  const report = { targetType: 'ad', targetId, reason: 'scam' };
  expect((await page.request.post('/api/reports', { headers, data: report })).status()).toBe(201);
  const cases: { id: string; targetId: string }[] = await sendAs(
    page.request,
    moderator.id,
    '/api/admin/reports?status=open',
  );
  const { id } = cases.find((one) => one.targetId === targetId)!;
  await sendAs(page.request, moderator.id, `/api/admin/reports/${id}/decision`, { action: 'dismiss', reason: 'scam' });
  const [newest] = await (await page.request.get('/api/notifications')).json();
  return newest;
};

test('a browser enables push notifications, shows one, and no longer gets any after a log-out', async () => {
  const [page = await context.newPage()] = context.pages();
  const { problems } = await signInOn(page, await joinX('pia'));
  await openSettings(page);

  await test.step('nothing is subscribed and no permission is asked before the click', async () => {
    await expect(enableButton(page)).toBeVisible();
    expect(await page.evaluate(() => Notification.permission)).not.toBe('granted');
    expect(await hasSubscription(page)).toBe(false);
    await inspect(page, 'default');
  });

  await test.step('a click subscribes this browser', async () => {
    await context.grantPermissions(['notifications'], { origin: new URL(page.url()).origin });
    await enableButton(page).click();
    await expect(page.getByText('Push notifications are on for this device.')).toBeVisible();
    expect((await listDevices(page)).map(({ endpoint }) => endpoint)).toEqual(cloud.listEndpoints());
    await inspect(page, 'on');
    await page.reload();
    await expect(disableButton(page)).toBeVisible();
  });

  await test.step('a notification arrives encrypted, is shown, and a click opens its page and marks it as read', async () => {
    const events = await recordBrowser(page);
    const { id, title, body, url } = await notify(page);
    const target = url ?? '/notifications';
    await expect
      .poll(() => events.find(({ name }) => name === 'Notification displayed')?.details)
      .toEqual({ Title: title, Body: body });
    const received = events.find(({ name }) => name === 'Push message received')!.details;
    expect(received['Was Encrypted']).toBe('Yes');
    expect(JSON.parse(received.Payload ?? '')).toEqual({ id, title, body, url: target });
    expect(cloud.received).toHaveLength(1);
    const [push] = cloud.received;
    expect(push?.publicKey).toBe((await (await page.request.get('/api/push/key')).json()).publicKey);
    expect(push?.body.toString('latin1')).not.toContain(title);
    expect(await clickNotification(context.serviceWorkers()[0]!, { id, url: target })).toEqual([
      new URL(target, page.url()).href,
    ]);
    await expect
      .poll(async () => (await (await page.request.get('/api/notifications/unread-count')).json()).unreadCount)
      .toBe(0);
  });

  await test.step('it is disabled and enabled again', async () => {
    await disableButton(page).click();
    await expect(enableButton(page)).toBeVisible();
    expect([await listDevices(page), await hasSubscription(page)]).toEqual([[], false]);
    await enableButton(page).click();
    await expect(disableButton(page)).toBeVisible();
  });

  await test.step('an endpoint that is gone is deleted', async () => {
    cloud.forgetAll();
    await notify(page);
    await expect.poll(() => listDevices(page)).toEqual([]);
    await page.reload();
    await enableButton(page).click();
    await expect(disableButton(page)).toBeVisible();
  });

  await test.step('a log-out ends the subscription in the browser and on the server', async () => {
    const [device] = await listDevices(page);
    expect(cloud.listEndpoints()).toContain(device?.endpoint);
    await page.setViewportSize({ width: 1280, height: 844 });
    await page.getByRole('button', { name: 'Account', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await page.waitForURL('/');
    await expect.poll(() => hasSubscription(page)).toBe(false);
    await expect.poll(() => cloud.listEndpoints()).not.toContain(device?.endpoint);
  });

  await test.step('the next user of this browser starts without', async () => {
    // X would offer the first account only
    await context.clearCookies();
    await signInOn(page, await joinX('quinn'));
    await openSettings(page);
    await expect(enableButton(page)).toBeVisible();
    expect(await listDevices(page)).toEqual([]);
  });

  await test.step('the first page of the next user ends push notifications of a user whose cookie is gone', async () => {
    await enableButton(page).click();
    await expect(disableButton(page)).toBeVisible();
    const [device] = await listDevices(page);
    await context.clearCookies();
    await signInOn(page, await joinX('ruth'));
    await expect.poll(() => hasSubscription(page)).toBe(false);
    expect(cloud.listEndpoints()).not.toContain(device?.endpoint);
    await openSettings(page);
    await expect(enableButton(page)).toBeVisible();
  });

  await test.step('a browser that blocks notifications says how to allow them', async () => {
    const devtools = await context.newCDPSession(page);
    const permission = { permission: { name: 'notifications' }, origin: new URL(page.url()).origin };
    await devtools.send('Browser.setPermission', { ...permission, setting: 'denied' });
    await expect(page.getByText(/Your browser blocks notifications/)).toBeVisible();
    await expect(enableButton(page)).toHaveCount(0);
    await inspect(page, 'denied');
  });
  expect(problems).toEqual([]);
});
