import { randomBytes } from 'node:crypto';
import { expect, type Page, test } from '@playwright/test';
import { joinX, type Person, signInAs } from './people.ts';

const post = async <Reply>({ page }: Person, path: string, data: object): Promise<Reply> => {
  const headers = { 'Sec-Fetch-Site': 'same-origin', 'Idempotency-Key': randomBytes(16).toString('hex') };
  const reply = await page.request.post(path, { headers, data });
  if (reply.status() !== 201) throw new Error(`${reply.status()}: ${await reply.text()}`);
  return reply.json();
};

const meet = async (seller: Person, buyer: Person) => {
  const fields = { title: 'Brass ship’s clock', description: 'Strikes the watches.', price: '120', category: 'other' };
  const ad = await post<{ id: string; userId: string }>(seller, '/api/ads', fields);
  const question = { adId: ad.id, receiverId: ad.userId, content: 'Does it still go?' };
  const { senderId } = await post<{ senderId: string }>(buyer, '/api/messages', question);
  return { adId: ad.id, sellerId: ad.userId, buyerId: senderId };
};

const write = async ({ page }: Person, text: string): Promise<void> => {
  await page.getByPlaceholder('Write your message...').fill(text);
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByRole('log').getByText(text)).toBeVisible();
};

/**
 * Opens a page and stops its clock once the event stream is open, so that it never polls. Returns the requests made
 * from then on.
 */
const openWithoutPolls = async (page: Page, path: string): Promise<string[]> => {
  await page.clock.install();
  const opening = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/messages/stream');
  await page.goto(path);
  expect((await opening).status()).toBe(200);
  await expect(page.locator('#announcer')).toBeAttached();
  await page.clock.pauseAt(Date.now() + 2000);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
  return asked;
};

test('a message appears in the other browser, and in the navbar, without anybody asking for it', async ({
  browser,
}) => {
  const [seller, buyer] = [await signInAs(browser, await joinX('maya')), await signInAs(browser, await joinX('tom'))];
  const { adId, sellerId, buyerId } = await meet(seller, buyer);

  await test.step('in the conversation', async () => {
    const asked = await openWithoutPolls(buyer.page, `/messages/${adId}/${sellerId}`);
    await seller.page.goto(`/messages/${adId}/${buyerId}`);
    await write(seller, 'It does, to the minute.');
    await expect(buyer.page.getByRole('log').getByText('It does, to the minute.')).toBeVisible();
    // The inbox beside it is read once the message is marked as read.
    expect(asked.filter((call) => call.includes('/api/conversations/'))).toEqual([]);
  });

  await test.step('with what sends in sight, however much has been written', async () => {
    for (let line = 1; line <= 12; line++)
      await post(seller, '/api/messages', { adId, receiverId: buyerId, content: `Line ${line}.` });
    await expect(seller.page.getByRole('log').getByText('Line 12.')).toBeVisible();
    await expect(seller.page.getByRole('button', { name: 'Send Message' })).toBeInViewport({ ratio: 1 });
  });

  await test.step('and as a number on any other page', async () => {
    const asked = await openWithoutPolls(seller.page, '/how-it-works');
    await expect(seller.page.getByRole('link', { name: 'Messages', exact: true })).toBeVisible();
    await write(buyer, 'Then I will take it.');
    await expect(seller.page.getByRole('link', { name: 'Messages, 1 unread' })).toBeVisible();
    expect(asked.filter((call) => call.includes('/api/messages'))).toEqual([]);
  });

  expect([...seller.problems, ...buyer.problems]).toEqual([]);
  await Promise.all([seller.close(), buyer.close()]);
});

test('where no stream gets through, the page polls', async ({ browser }) => {
  const [seller, buyer] = [await signInAs(browser, await joinX('maya')), await signInAs(browser, await joinX('tom'))];
  const { adId, sellerId, buyerId } = await meet(seller, buyer);
  await buyer.page.route('**/api/messages/stream*', (route) => route.abort());
  await buyer.page.goto(`/messages/${adId}/${sellerId}`);
  await seller.page.goto(`/messages/${adId}/${buyerId}`);
  await write(seller, 'Come and hear it.');
  await expect(buyer.page.getByRole('log').getByText('Come and hear it.')).toBeVisible();
  await Promise.all([seller.close(), buyer.close()]);
});
