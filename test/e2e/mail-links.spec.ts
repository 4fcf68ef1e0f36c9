import { type Browser, expect, type Page, test } from '@playwright/test';
import type { ReadMail } from '../../local/mailbox/store.ts';
import { expectAlive, expectSettled } from './alive.ts';
import { createUser, sendAs } from './content.ts';
import { inspect } from './inspect.ts';
import { readHeader, receiveMail } from './mailbox.ts';
import { joinX, signInAs } from './people.ts';

const linkIn = ({ text }: ReadMail, path: string): string =>
  new RegExp(`https?://\\S+${path}\\?token=\\S+`).exec(text)![0];

/** A phone without a session. */
const openPhone = async (browser: Browser) => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const context = await browser.newContext({ ...phone, reducedMotion: 'reduce' });
  return { page: await context.newPage(), close: () => context.close() };
};

const settings = (page: Page) => page.getByRole('region', { name: 'Notification Settings' });
const box = (page: Page, name: string) => settings(page).getByRole('checkbox', { name });
/** Shows the choice of each kind, which is folded after every load. */
const unfold = (page: Page) => settings(page).getByText('Choose each kind').click();
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

const CONFIRM = 'Confirm your e-mail address for Tradepost';

test('an address is confirmed on a phone, gets mail, and leaves by one click or by the page', async ({ browser }) => {
  const handle = await joinX('mona');
  const address = `${handle}@mail.example`;
  const person = await signInAs(browser, handle);
  const { page } = person;
  const { request } = page.context();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/notifications');
  await page.getByRole('link', { name: 'Settings' }).click();
  await expectAlive(page);
  await expect(page.getByRole('heading', { name: 'Notification Settings' })).toBeFocused();
  await inspect(page, 'settings-no-address');

  const field = settings(page).getByLabel('E-mail address');
  await field.fill('mona@mail');
  await field.press('Enter');
  await expect(settings(page).getByText('Enter an e-mail address such as name@example.com')).toBeVisible();
  await expect(field).toBeFocused();
  await field.fill(address);
  await field.press('Enter');
  await expect(settings(page).getByText('Open the link that we sent to')).toBeVisible();
  await inspect(page, 'settings-pending');

  const link = linkIn(await receiveMail(address, CONFIRM), '/verify-email');
  const phone = await openPhone(browser);
  // a mail program that opens the link confirms nothing
  expect((await phone.page.request.get(link)).status()).toBe(200);
  await phone.page.goto(link);
  await expectAlive(phone.page);
  await inspect(phone.page, 'verify-email');
  await phone.page.reload();
  await phone.page.getByRole('button', { name: 'Confirm This Address' }).tap();
  await expect(heading(phone.page, 'Your address is confirmed')).toBeVisible();
  await inspect(phone.page, 'verify-email-done');
  await phone.page.goto(link);
  await phone.page.getByRole('button', { name: 'Confirm This Address' }).tap();
  await expect(heading(phone.page, 'This link was used already')).toBeVisible();

  await page.reload();
  await expect(settings(page).getByText(`E-mail goes to ${address}.`)).toBeVisible();
  await unfold(page);
  await inspect(page, 'settings-confirmed');

  const admin = await createUser('Ada Admin', 'admin');
  const { id: userId } = await (await request.get('/api/auth/me')).json();
  await sendAs(request, admin.id, '/api/admin/notices', { userId, title: 'Welcome', body: 'Nice to have you.' });
  const mail = await receiveMail(address, 'Welcome');
  expect(readHeader(mail, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  const oneClick = /<(.+)>/.exec(readHeader(mail, 'list-unsubscribe') ?? '')![1]!;
  expect(oneClick).toBe(linkIn(mail, '/unsubscribe'));
  await expect(box(page, 'E-mail: Notices from the team')).toBeChecked();
  const response = await fetch(oneClick, {
    method: 'POST',
    headers: { Origin: 'https://mail.example', 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  expect(response.status).toBe(200);
  await page.reload();
  await unfold(page);
  await expect(box(page, 'E-mail: Notices from the team')).not.toBeChecked();

  await phone.page.goto(oneClick);
  await expect(heading(phone.page, 'E-mail about “Notices from the team” is off')).toBeVisible();
  await inspect(phone.page, 'unsubscribed');
  await phone.page.getByRole('button', { name: 'Turn On Again' }).tap();
  await expect(heading(phone.page, 'Stop e-mail about “Notices from the team”?')).toBeVisible();
  await inspect(phone.page, 'unsubscribe');
  await phone.page.getByRole('button', { name: 'Unsubscribe From All Mail' }).tap();
  await expect(heading(phone.page, 'You get no more e-mail from Tradepost')).toBeVisible();
  await inspect(phone.page, 'unsubscribed-all');
  await page.reload();
  await unfold(page);
  await expect(box(page, 'E-mail: Notices from the team')).toBeDisabled();
  await inspect(page, 'settings-paused');
  await phone.page.getByRole('button', { name: 'Undo' }).tap();
  await expect(heading(phone.page, 'Stop e-mail about “Notices from the team”?')).toBeVisible();
  await phone.close();

  await page.reload();
  await unfold(page);
  await box(page, 'E-mail: Notices from the team').focus();
  await page.keyboard.press('Space');
  await expect(box(page, 'E-mail: Notices from the team')).not.toBeChecked();
  await settings(page).getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(settings(page).getByLabel('E-mail address')).toBeVisible();
  await expectSettled(page);
  await page.reload();
  await unfold(page);
  await expect(box(page, 'E-mail: Notices from the team')).not.toBeChecked();
  expect(person.problems).toEqual([]);
  await person.close();
});
