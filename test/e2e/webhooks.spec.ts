import { randomBytes } from 'node:crypto';
import { expect, type Page, test } from '@playwright/test';
import { Webhook } from 'standardwebhooks';
import { startWebhookReceiver, type WebhookReceiver } from '../harness/webhook-receiver.ts';
import { expectAlive } from './alive.ts';
import { inspect } from './inspect.ts';
import { joinX, type Person, signInAs } from './people.ts';

let receiver: WebhookReceiver;
test.beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
test.afterAll(() => receiver.close());

const section = (page: Page) => page.getByRole('region', { name: 'Webhooks' });
const act = (page: Page, name: string) => section(page).getByRole('button', { name: new RegExp(`^${name}`) });
const log = (page: Page) => page.getByRole('dialog', { name: 'Deliveries' });

const openWebhooks = async (page: Page): Promise<void> => {
  await page.goto('/preferences#webhooks');
  await expectAlive(page);
  await expect(page.getByRole('heading', { name: 'Webhooks' })).toBeFocused();
};

const post = async <Reply>({ page }: Person, path: string, data: object): Promise<Reply> => {
  const headers = { 'Sec-Fetch-Site': 'same-origin', 'Idempotency-Key': randomBytes(16).toString('hex') };
  const reply = await page.request.post(path, { headers, data });
  if (!reply.ok()) throw new Error(`${reply.status()}: ${await reply.text()}`);
  return reply.json();
};

/** What the receiver got as its request of this number, once it is there, with its signature checked. */
const receive = async (count: number, ...secrets: string[]) => {
  await expect.poll(() => receiver.received.length).toBe(count);
  const { headers, body } = receiver.received[count - 1]!;
  for (const secret of secrets) new Webhook(secret).verify(body, headers as Record<string, string>);
  return { id: headers['webhook-id'], ...(JSON.parse(body) as { type: string; data: Record<string, string> }) };
};

const readSecret = async (page: Page): Promise<string> => {
  const shown = page.getByRole('dialog', { name: 'The secret of this webhook' });
  const secret = (await shown.getByText(/^whsec_/).textContent()) ?? '';
  await inspect(page, 'webhooks-secret');
  await shown.getByRole('button', { name: 'I have saved it' }).click();
  await expect(shown).toHaveCount(0);
  return secret;
};

test('a seller makes a webhook, their program hears of an offer, and the log sends it again', async ({ browser }) => {
  const seller = await signInAs(browser, await joinX('wanda'));
  const buyer = await signInAs(browser, await joinX('bruno'));
  const { page } = seller;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openWebhooks(page);
  await inspect(page, 'webhooks-none');

  const secret = await test.step('the form says what is missing, and the secret is shown once', async () => {
    await act(page, 'Add a webhook').press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add a webhook' });
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(dialog.getByText('The address is required')).toBeVisible();
    await expect(dialog.getByText('Choose at least one event')).toBeVisible();
    await inspect(page, 'webhooks-form');
    await dialog.getByLabel('Address').fill(receiver.url);
    await dialog.getByLabel(/offer\.made$/).check();
    await dialog.getByLabel('Address').press('Enter');
    return readSecret(page);
  });

  await test.step('a test arrives at once', async () => {
    await act(page, 'Send a test').click();
    await expect(section(page).getByText(/^Delivered: it responded 204/)).toBeVisible();
    expect(await receive(1, secret)).toMatchObject({ type: 'webhook.test' });
  });

  const first = await test.step('an offer reaches the program, signed', async () => {
    const fields = { description: 'In tune.', price: '120', priceType: 'negotiable', category: 'other' };
    const title = `Zither ${randomBytes(3).toString('hex')}`;
    const ad = await post<{ id: string; userId: string }>(seller, '/api/ads', { title, ...fields });
    await post(buyer, '/api/offers', { adId: ad.id, receiverId: ad.userId, amount: '100' });
    const heard = await receive(2, secret);
    expect(heard).toMatchObject({ type: 'offer.made', data: { adId: ad.id, amount: '100.00', currency: 'USD' } });
    // its address leads the seller to the conversation
    await page.goto(heard.data.url!);
    await expect(page.getByText('Offer: $100').first()).toBeVisible();
    return heard;
  });

  await test.step('the log shows it, and sends it again under its id', async () => {
    await openWebhooks(page);
    await act(page, 'Deliveries').click();
    const row = log(page).getByRole('listitem');
    await expect(row).toHaveCount(1);
    await expect(row).toContainText(/offer\.made ?Delivered.*1 attempt · responded 204 · \d+ ms/);
    receiver.respond = (res) => void res.writeHead(500).end();
    await row.getByRole('button', { name: /^Send again/ }).click();
    expect(await receive(3, secret)).toMatchObject({ id: first.id, type: 'offer.made' });
    await expect(row).toContainText(/Waiting.*responded 500 · next attempt/);
    await inspect(page, 'webhooks-log-failing');
    receiver.respond = (res) => void res.writeHead(204).end();
    await row.getByRole('button', { name: /^Send again/ }).click();
    await expect(row).toContainText(/Delivered.*responded 204/);
    await inspect(page, 'webhooks-log');
    await log(page).getByRole('button', { name: 'Close' }).click();
  });

  await test.step('for a day after a change both secrets sign', async () => {
    await act(page, 'New secret').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Make a new secret' }).click();
    const next = await readSecret(page);
    expect(next).not.toBe(secret);
    const count = receiver.received.length + 1;
    await act(page, 'Send a test').click();
    await receive(count, secret, next);
    await inspect(page, 'webhooks-one');
  });

  await test.step('changed, it hears of something else and keeps its log', async () => {
    await act(page, 'Change').press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Change this webhook' });
    await expect(dialog.getByLabel('Address')).toHaveValue(receiver.url);
    await dialog.getByLabel(/ad\.sold$/).check();
    await inspect(page, 'webhooks-change');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(section(page).getByText('An ad was sold')).toBeVisible();
    await act(page, 'Deliveries').click();
    await expect(log(page).getByRole('listitem')).toHaveCount(1);
    await log(page).getByRole('button', { name: 'Close' }).click();
  });

  await test.step('removed, it is gone with its log', async () => {
    await act(page, 'Remove').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await expect(section(page).getByText('No webhooks yet.')).toBeVisible();
  });
  expect(seller.problems).toEqual([]);
  await Promise.all([seller.close(), buyer.close()]);
});
