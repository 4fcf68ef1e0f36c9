import { type BrowserContext, expect, type Locator, type Page, type Response, test } from '@playwright/test';
import type { Notification } from '../../contract/notifications.ts';
import type { ReadMail } from '../../local/mailbox/store.ts';
import { expectAlive } from './alive.ts';
import { newWord, withDatabase } from './content.ts';
import { inspect } from './inspect.ts';
import { followLink, listMails, readHeader, receiveMail } from './mailbox.ts';
import { joinX, type Person, PHONE, signInAs, signInOn } from './people.ts';
import {
  type BrowserEvent,
  clickNotification,
  openPushBrowser,
  type PushBrowser,
  recordBrowser,
} from './push-browser.ts';

/*
 * The buyer has a phone, the seller a desktop. PostgreSQL, the browsers, the mail server (the local mailbox) and the
 * encryption of pushes are real. Two minutes pass by moving the times of rows and jobs into the past: `letPass`.
 */

const WORD = newWord('Harpsichord');
const TITLE = `${WORD} with two manuals`;
const SEARCH = `${WORD} for the music room`;
const SELLER_NAME = newWord('Clara');
const QUESTION = 'Is it tuned to 415 Hz?';
const REPLY = 'Yes, and it can be moved to 440 Hz.';

interface Buyer extends Person {
  id: string;
  context: BrowserContext;
  address: string;
  browser: PushBrowser;
  events: BrowserEvent[];
}

let buyer: Buyer;
let seller: Person;

test.beforeAll(async ({ browser }) => {
  seller = await signInAs(browser, await joinX('clara', { name: SELLER_NAME }));
  const push = await openPushBrowser({ ...PHONE, reducedMotion: 'reduce' });
  const { context } = push;
  const [blank = await context.newPage()] = context.pages();
  const page = await context.newPage();
  const username = await joinX('ivo');
  const person = await signInOn(page, username, true);
  const { id } = await (await page.request.get('/api/auth/me')).json();
  buyer = {
    ...person,
    id,
    context,
    address: `${username}@mail.example`,
    browser: push,
    events: await recordBrowser(blank),
  };
});

test.afterAll(async () => {
  await seller.close();
  await buyer.browser.close();
});

/** Waits until the buyer's browser shows this notification. Returns what it decrypted. */
const receivePush = async (title: string): Promise<Omit<Notification, 'kind' | 'isRead' | 'createdAt'>> => {
  const find = (name: string) => buyer.events.filter((event) => event.name === name);
  await expect.poll(() => find('Notification displayed').map(({ details }) => details.Title)).toContain(title);
  const payloads = find('Push message received').map(({ details }) => {
    expect(details['Was Encrypted']).toBe('Yes');
    return JSON.parse(details.Payload ?? '');
  });
  return payloads.findLast((payload) => payload.title === title);
};

const countPushes = (title: string): number =>
  buyer.events.filter(({ name, details }) => name === 'Notification displayed' && details.Title === title).length;

const listNotifications = async (): Promise<Notification[]> =>
  (await buyer.context.request.get('/api/notifications')).json();

/** The buyer's notifications of a kind, oldest first, each with the outcome of every channel that it went to. */
const listDeliveries = (kind: string): Promise<string[]> =>
  withDatabase(async (db) => {
    const rows: { channels: string[] }[] = await db('notifications as n')
      .leftJoin('notification_deliveries as d', 'd.notification_id', 'n.id')
      .where({ user_id: buyer.id, kind })
      .groupBy('n.id')
      .orderBy('n.id')
      .select(
        db.raw(`array_agg(channel || ' ' || status order by channel) filter (where channel is not null) as channels`),
      );
    return rows.map(({ channels }) => (channels ?? []).join(', '));
  });

/** Moves the conversation, and the job that waits for it, into the past. */
const letPass = (seconds: number): Promise<void> =>
  withDatabase(async (db) => {
    const past = { seconds, receiver: buyer.id };
    await db.raw(
      `update messages set created_at = created_at - :seconds * interval '1 second' where receiver_id = :receiver`,
      past,
    );
    await db.raw(
      `select graphile_worker.reschedule_jobs(array_agg(id), run_at := min(run_at) - :seconds * interval '1 second')
       from graphile_worker._private_jobs where payload ->> 'receiverId' = :receiver::text having count(*) > 0`,
      past,
    );
  });

/** Seconds until the job that looks at the buyer's unread messages; undefined if there is none. */
const readSecondsLeft = (): Promise<number | undefined> =>
  withDatabase(async (db) => {
    const { rows } = await db.raw(
      `select extract(epoch from run_at - now())::float8 as seconds from graphile_worker._private_jobs
       where payload ->> 'receiverId' = ?`,
      [buyer.id],
    );
    return rows[0]?.seconds;
  });

/** Closes all tabs of the buyer, and waits until no process serves an event stream of them. */
const closeTabs = async (): Promise<void> => {
  const [, ...tabs] = buyer.context.pages();
  for (const tab of tabs) await tab.close();
  const countStreams = () =>
    withDatabase(async (db) => Number((await db('open_streams').where({ user_id: buyer.id }).count())[0]?.count));
  await expect.poll(countStreams).toBe(0);
};

const openTab = async (path: string): Promise<Page> => {
  const page = await buyer.context.newPage();
  await page.goto(path);
  await expectAlive(page);
  return page;
};

/** Sends a message in the conversation or in the dialog of an ad, and waits until the server has it. */
const send = async (place: Page | Locator, text: string): Promise<void> => {
  const page = 'page' in place ? place.page() : place;
  const isPost = (response: Response) =>
    response.url().endsWith('/api/messages') && response.request().method() === 'POST';
  const sent = page.waitForResponse(isPost);
  await place.getByPlaceholder('Write your message...').fill(text);
  await place.getByRole('button', { name: 'Send Message' }).click();
  expect((await sent).status()).toBe(201);
  await expect(place.getByRole('log').getByText(text)).toBeVisible();
};

const expectOneClickHeaders = (mail: ReadMail): string => {
  expect(readHeader(mail, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  const url = /^<(http[^>]+)>$/.exec(readHeader(mail, 'list-unsubscribe') ?? '')?.[1];
  expect(url).toBeDefined();
  return url!;
};

test('a buyer comes back: saved search, price drop, message, and one click against mail', async () => {
  let adPath = '';
  let messageMail: ReadMail;
  const messageTitle = `New message from ${SELLER_NAME}`;

  await test.step('the buyer enters an address and confirms it by the link of the mail', async () => {
    const { page, context, address } = buyer;
    await page.goto('/dashboard#notification-settings');
    const section = page.getByRole('region', { name: 'Notification Settings' });
    await expect(section.getByRole('heading', { name: 'Notification Settings' })).toBeFocused();
    await section.getByLabel('E-mail address').fill(address);
    await section.getByRole('button', { name: 'Send Link' }).click();
    await expect(section.getByRole('button', { name: 'Send Another Link' })).toBeVisible();
    const mail = await receiveMail(address, 'Confirm your e-mail address for Tradepost');
    const opened = await followLink(context, mail, 'Confirm this address');
    await expect(section.getByRole('button', { name: 'Send Another Link' }), 'GET confirms nothing').toBeVisible();
    await opened.getByRole('button', { name: 'Confirm This Address' }).click();
    await expect(opened.getByRole('heading', { name: 'Your address is confirmed' })).toBeVisible();
    await opened.close();
    await page.reload();
    await expect(section.getByText(`E-mail goes to ${address}.`)).toBeVisible();
  });

  await test.step('enables push notifications', async () => {
    const { page, context } = buyer;
    await context.grantPermissions(['notifications'], { origin: new URL(page.url()).origin });
    await page.getByRole('button', { name: 'Enable push notifications' }).click();
    await expect(page.getByText('Push notifications are on for this device.')).toBeVisible();
    await inspect(page, 'notification-settings');
  });

  await test.step('and saves a search', async () => {
    const { page } = buyer;
    await page.goto(`/?search=${WORD}&maxPrice=900`);
    await expectAlive(page);
    await page.getByRole('button', { name: 'Save this search' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save this search' });
    await dialog.getByLabel('Name').fill(SEARCH);
    await expect(dialog.getByLabel(/^Instantly/)).toBeChecked();
    await inspect(page, 'save-search');
    await dialog.getByRole('button', { name: 'Save Search' }).click();
    await expect(page.getByText('Search saved').first()).toBeVisible();
  });

  await test.step('the seller posts a matching ad', async () => {
    const { page } = seller;
    await page.goto('/create-ad');
    await page.getByLabel('Title', { exact: false }).first().fill(TITLE);
    await page.getByLabel('Description', { exact: false }).first().fill('Built in 1978 after Taskin.');
    await page.getByLabel('Price', { exact: false }).first().fill('800');
    await page.getByLabel('Category', { exact: false }).first().selectOption({ label: 'Other' });
    await page.getByRole('button', { name: 'Post Ad', exact: true }).click();
    await page.waitForURL('**/dashboard');
    await page.getByRole('link', { name: TITLE, exact: true }).click();
    await page.waitForURL('**/ads/*');
    adPath = new URL(page.url()).pathname;
  });

  await test.step('the buyer gets a push and a mail', async () => {
    const title = `New ad for “${SEARCH}”`;
    expect(await receivePush(title)).toMatchObject({ body: TITLE, url: adPath });
    const mail = await receiveMail(buyer.address, title);
    expect(mail.text).toContain(TITLE);
    expectOneClickHeaders(mail);
    await buyer.page.goto('/dashboard#saved-searches');
    const saved = buyer.page.getByRole('region', { name: 'Saved Searches' });
    await expect(saved.getByText('1 new')).toBeVisible();
    await saved.scrollIntoViewIfNeeded();
    await inspect(buyer.page, 'saved-searches');
  });

  await test.step('opens the link of the mail and saves the ad', async () => {
    const mail = await receiveMail(buyer.address, `New ad for “${SEARCH}”`);
    const page = await followLink(buyer.context, mail, 'View the ad');
    await expect(page).toHaveURL(new RegExp(`${adPath}$`));
    await expect(page.getByRole('heading', { name: TITLE, level: 1 })).toBeVisible();
    await expectAlive(page);
    await page.getByRole('button', { name: `Save ${TITLE}`, exact: true }).click();
    await expect(page.getByText('Added to favorites').first()).toBeVisible();
    await page.close();
  });

  await test.step('the seller lowers the price', async () => {
    const { page } = seller;
    await page.goto(`${adPath}/edit`);
    await page.getByLabel('Price', { exact: true }).fill('650');
    await page.getByRole('button', { name: 'Update Ad' }).click();
    await expect(page).toHaveURL(new RegExp(`${adPath}$`));
  });

  await test.step('the buyer gets a push, and opens the ad by it', async () => {
    const push = await receivePush(`Price dropped: ${TITLE}`);
    expect(push).toMatchObject({ body: 'Now $650, was $800', url: adPath });
    const { page, context } = buyer;
    await page.goto('/notifications');
    await expect(page.getByText(`Price dropped: ${TITLE}`)).toBeVisible();
    await inspect(page, 'notifications-coming-back');
    expect(await clickNotification(context.serviceWorkers()[0]!, { id: push.id, url: adPath })).toEqual([
      new URL(adPath, page.url()).href,
    ]);
    await expect
      .poll(async () => (await listNotifications()).find(({ id }) => id === push.id)?.isRead, 'opened by the push')
      .toBe(true);
    await page.goto(adPath);
    await expect(page.getByText('was $800').first()).toBeVisible();
    expect(await listDeliveries('price_drop')).toEqual(['push sent']);
  });

  await test.step('writes to the seller and closes the tab', async () => {
    const { page } = buyer;
    await page.getByRole('button', { name: 'Contact Seller' }).locator('visible=true').first().click();
    await send(page.getByRole('dialog'), QUESTION);
    expect(buyer.problems).toEqual([]);
    await closeTabs();
  });

  await test.step('the seller replies; nothing leaves before two minutes', async () => {
    const { page } = seller;
    await page.goto('/messages');
    const card = page.locator('[data-slot=card]').filter({ hasText: TITLE });
    await card.getByRole('link', { name: 'View Conversation' }).click();
    await expect(page.getByRole('log').getByText(QUESTION)).toBeVisible();
    await send(page, REPLY);
    const seconds = (await readSecondsLeft()) ?? 0;
    expect(seconds).toBeGreaterThan(60);
    expect(seconds).toBeLessThanOrEqual(120);
    await letPass(seconds - 30);
    expect(await readSecondsLeft()).toBeGreaterThan(0);
    expect(await listDeliveries('message')).toEqual([]);
  });

  await test.step('after two minutes the buyer gets a mail and a push, without the text of the message', async () => {
    await letPass(31);
    messageMail = await receiveMail(buyer.address, messageTitle);
    expect(messageMail.text).toContain(TITLE);
    expect(messageMail.text + messageMail.html).not.toContain('440 Hz');
    expect(await receivePush(messageTitle)).toMatchObject({ body: TITLE });
    await expect.poll(() => listDeliveries('message')).toEqual(['email sent, push sent']);
  });

  await test.step('another message brings no second one while the first is unread', async () => {
    await send(seller.page, 'Do you have a question about the price?');
    expect(await readSecondsLeft(), 'no job waits for it').toBeUndefined();
    await letPass(600);
    expect(await listDeliveries('message')).toEqual(['email sent, push sent']);
    expect(countPushes(messageTitle)).toBe(1);
  });

  await test.step('the link at the end of the mail opens a page that changes nothing', async () => {
    const page = await followLink(buyer.context, messageMail, 'Unsubscribe from messages');
    await expect(page.getByRole('heading', { name: 'Stop e-mail about “Unread messages”?' })).toBeVisible();
    await page.close();
  });

  await test.step('one click in the mail program unsubscribes, without cookies and Origin', async () => {
    const settings = await openTab('/dashboard#notification-settings');
    await settings.getByText('Choose each kind').click();
    const box = settings.getByRole('checkbox', { name: 'E-mail: Unread messages' });
    await expect(box).toBeChecked();
    const reply = await fetch(expectOneClickHeaders(messageMail), {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    });
    expect(reply.status).toBe(200);
    await settings.reload();
    await settings.getByText('Choose each kind').click();
    await expect(box).not.toBeChecked();
    await expect(settings.getByRole('checkbox', { name: 'Push: Unread messages' })).toBeChecked();
    await expect(settings.getByRole('checkbox', { name: 'E-mail: New ads for saved searches' })).toBeChecked();
    const page = await followLink(buyer.context, messageMail, 'Unsubscribe from messages');
    await expect(page.getByRole('heading', { name: 'E-mail about “Unread messages” is off' })).toBeVisible();
  });

  await test.step('and the next message brings a push, and no mail', async () => {
    const page = await openTab('/messages');
    const card = page.locator('[data-slot=card]').filter({ hasText: TITLE });
    await card.getByRole('link', { name: 'View Conversation' }).click();
    await expect(page.getByRole('log').getByText(REPLY)).toBeVisible();
    // Read: the next message notifies again.
    await expect
      .poll(async () => (await listNotifications()).find(({ kind }) => kind === 'message')?.isRead)
      .toBe(true);
    await closeTabs();
    await send(seller.page, 'It could be yours on Saturday.');
    await expect.poll(readSecondsLeft).toBeDefined();
    await letPass(121);
    await expect.poll(() => listDeliveries('message')).toEqual(['email sent, push sent', 'push sent']);
    // the browser decrypts and shows it after it was sent
    await expect.poll(() => countPushes(messageTitle)).toBe(2);
    const subjects = (await listMails(buyer.address)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject === messageTitle)).toHaveLength(1);
    expect(seller.problems).toEqual([]);
  });
});
