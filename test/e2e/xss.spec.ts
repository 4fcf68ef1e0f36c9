/// <reference lib="dom" />
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import pg from 'pg';
import { XSS_PAYLOADS } from '../security/xss-payloads.ts';

const SELLER = '1001';
const BUYER = '1002';

// Also runs after a failed attempt, so that the next one starts with the original users.
test.afterAll(async () => {
  const db = new pg.Client({ connectionString: process.env.E2E_DATABASE_URL });
  await db.connect();
  await db.query("update settings set value = value - 'newConversationsPerHour' where key = 'platform'");
  await db.query("update users set display_name = 'Sally Seller', role = 'user' where id = $1", [SELLER]);
  await db.query("update users set display_name = 'Ben Buyer' where id = $1", [BUYER]);
  await db.query("update ads set state = 'inactive' where user_id = $1 and location = title", [SELLER]);
  await db.end();
});

const short = (payload: string, max: number) => payload.slice(0, max);

async function send(address: string, user: string, path: string, body: unknown) {
  const answer = await fetch(address + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Test-User': user },
    body: JSON.stringify(body),
  });
  expect([path, answer.status < 300], await answer.clone().text()).toEqual([path, true]);
  return answer.json() as Promise<{ id: string }>;
}

async function plant(address: string, db: pg.Client): Promise<string[]> {
  const ads: string[] = [];
  // one person starts more conversations than the limit against spam allows
  await db.query(`insert into settings (key, value) values ('platform', '{"newConversationsPerHour": 0}')
    on conflict (key) do update set value = settings.value || excluded.value`);
  for (const [index, payload] of XSS_PAYLOADS.entries()) {
    const title = short(payload, 100);
    const fields = { title, description: `${payload} ${index}`, location: title, price: 1, category: 'books' };
    const { id } = await send(address, SELLER, '/api/ads', fields);
    await send(address, BUYER, '/api/messages', { adId: id, receiverId: SELLER, content: payload });
    await send(address, BUYER, '/api/contact', {
      name: title,
      email: 'x@example.com',
      subject: title,
      message: payload,
    });
    ads.push(id);
  }
  // Fields that X lets users choose, and fields that only an administrator may write.
  await db.query('update users set display_name = $1, role = $2 where id = $3', [
    '<img src=x onerror=__xss=1>',
    'admin',
    SELLER,
  ]);
  await db.query('update users set display_name = $1 where id = $2', ['"><script>__xss=1</script>', BUYER]);
  await db.query("update ads set state = 'inactive', state_reason = $1 where id = $2", [
    '<svg onload=__xss=1>',
    ads[0],
  ]);
  return ads;
}

/** Opens a page that records executed payloads, CSP violations and requests to other hosts. */
async function openWatched(context: BrowserContext, user: string): Promise<{ page: Page; alarms: string[] }> {
  const alarms: string[] = [];
  await context.addInitScript((id) => {
    localStorage.setItem('testUser', id);
    addEventListener('securitypolicyviolation', (event) => {
      console.info(`ALARM policy: ${event.violatedDirective} ${event.blockedURI}`);
    });
    Object.defineProperty(window, '__xss', { set: () => console.info('ALARM script ran') });
  }, user);
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.text().startsWith('ALARM')) alarms.push(`${message.text()} on ${page.url()}`);
  });
  page.on('dialog', async (dialog) => {
    alarms.push(`dialog on ${page.url()}`);
    await dialog.dismiss();
  });
  page.on('request', (request) => {
    if (new URL(request.url()).host === 'evil.test') alarms.push(`asked for ${request.url()}`);
  });
  return { page, alarms };
}

test('no payload in any text field runs on any screen', async ({ browser }) => {
  test.setTimeout(0);
  const address = process.env.E2E_ADDRESS ?? '';
  const db = new pg.Client({ connectionString: process.env.E2E_DATABASE_URL });
  await db.connect();
  const ads = await plant(address, db);
  const context = await browser.newContext();
  const { page, alarms } = await openWatched(context, SELLER);

  const screens = [
    '/',
    ...XSS_PAYLOADS.filter((_, i) => i % 8 === 0).map(
      (payload) => `/?search=${encodeURIComponent(short(payload, 200))}`,
    ),
    `/categories?category=${encodeURIComponent('<img src=x onerror=__xss=1>')}`,
    '/categories?category=books',
    '/dashboard',
    '/messages',
    '/admin',
    '/users/seller_one',
    `/nowhere/${encodeURIComponent('<script>__xss=1</script>')}`,
    `/?auth=${encodeURIComponent('<img src=x onerror=__xss=1>')}`,
    ...ads.flatMap((id, i) =>
      i % 4 === 0 ? [`/ads/${id}`, `/messages/${id}/${BUYER}`, `/ads/${id}/edit`] : [`/ads/${id}`],
    ),
  ];
  for (const screen of screens) {
    await page.goto(screen);
    await expect(page.locator('main').first()).toBeVisible();
    // Hover and focus trigger payloads that wait for them.
    await page.keyboard.press('Tab');
  }
  for (const tab of ['Users', 'Ads', 'Analytics', 'Settings']) {
    await page.goto('/admin');
    await page.getByRole('tab', { name: tab }).click();
  }
  await expect(page.getByRole('tab', { name: 'Settings' })).toBeVisible();
  expect(alarms).toEqual([]);

  // Checks the detector itself: code that does run must be recorded.
  await page.evaluate(() => Object.assign(window, { __xss: 1 }));
  await expect.poll(() => alarms.length).toBe(1);
  await context.close();
  await db.end();
});
