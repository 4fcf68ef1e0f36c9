import { type Browser, expect, type Locator, type Page, test } from '@playwright/test';
import { expectAlive } from './alive.ts';
import { newWord, withDatabase } from './content.ts';
import { inspect } from './inspect.ts';
import { joinX, type Person, signInAs } from './people.ts';

/*
 * A sale from the first offer to the removed rating. The first buyer has a phone; the seller, the second buyer and the
 * moderator have desktops.
 */

const TITLE = `${newWord('Barograph')} with spare ink`;
const PRAISE = 'Let me try it for an hour, and threw in the spare ink.';
const SLANDER = 'A swindler, as is the whole family.';

const SAME_ORIGIN = { 'Sec-Fetch-Site': 'same-origin' };

interface Member extends Person {
  id: string;
  username: string;
  name: string;
}

const enter = async (browser: Browser, word: string, onPhone = false): Promise<Member> => {
  const name = newWord(word);
  const username = await joinX(word.toLowerCase(), { name });
  const person = await signInAs(browser, username, onPhone);
  const { id } = await (await person.page.request.get('/api/auth/me')).json();
  await person.page.emulateMedia({ reducedMotion: 'reduce' });
  return { ...person, id, username, name };
};

const read = async ({ page }: Person, path: string): Promise<string> => {
  const reply = await page.request.get(path);
  expect(reply.status(), path).toBe(200);
  return reply.text();
};

const open = async ({ page }: Person, path: string): Promise<void> => {
  await page.goto(path);
  await expectAlive(page);
};

const toast = (page: Page, text: string) => page.locator('[data-slot=toast]').filter({ hasText: text });
const lastOffer = ({ page }: Person) => page.locator('[data-slot=offer]').last();
const confirm = ({ page }: Person, name: string) =>
  page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click();

const sendOffer = async (page: Page, amount: number): Promise<void> => {
  const dialog = page.getByRole('dialog').filter({ has: page.getByLabel('Your offer') });
  await dialog.getByLabel('Your offer').fill(String(amount));
  await dialog.getByRole('button', { name: 'Send Offer' }).click();
  await expect(dialog).toBeHidden();
};

/** Writes to the seller from the page of the ad, and opens the full conversation. */
const writeToSeller = async (buyer: Member, adId: string, text: string): Promise<void> => {
  const { page } = buyer;
  await open(buyer, `/ads/${adId}`);
  await page.getByRole('button', { name: 'Contact Seller' }).locator('visible=true').first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByPlaceholder('Write your message...').fill(text);
  await dialog.getByRole('button', { name: 'Send Message' }).click();
  await expect(dialog.getByRole('log').getByText(text)).toBeVisible();
  await dialog.getByRole('link', { name: 'Open the full conversation' }).click();
  await page.waitForURL('**/messages/**');
  await expect(page.getByRole('log').getByText(text)).toBeVisible();
};

const openConversation = async (seller: Member, other: Member): Promise<void> => {
  const { page } = seller;
  await open(seller, '/messages');
  const card = page.locator('[data-slot=card]').filter({ hasText: TITLE }).filter({ hasText: other.name });
  await card.getByRole('link', { name: 'View Conversation' }).click();
  await page.waitForURL(`**/messages/*/${other.id}`);
};

const rate = async (
  { page }: Member,
  section: Locator,
  other: Member,
  { value, tag, text }: { value: string; tag: string; text: string },
): Promise<void> => {
  await section.getByRole('button', { name: `Rate ${other.name} for ${TITLE}` }).click();
  const dialog = page.getByRole('dialog', { name: `Rate ${other.name}` });
  await dialog.getByRole('radio', { name: value }).check();
  await dialog.getByRole('checkbox', { name: tag, exact: true }).check();
  await dialog.getByLabel('In your words').fill(text);
  await dialog.getByRole('button', { name: 'Send Rating' }).click();
  await expect(toast(page, `You rated ${other.name}`)).toBeVisible();
  await expect(dialog).toBeHidden();
};

const ratingsOf = ({ page }: Person) => page.getByRole('region', { name: 'Ratings', exact: true });

/** Expects that neither page nor API shows a rating of this person. */
const expectUnrated = async (reader: Member, rated: Member): Promise<void> => {
  await open(reader, `/users/${rated.username}`);
  await expect(ratingsOf(reader).getByText('No ratings yet')).toBeVisible();
  await expect(reader.page.getByText(/% positive/)).toHaveCount(0);
  expect(JSON.parse(await read(reader, `/api/users/${rated.id}/ratings`))).toEqual([]);
};

const expectFigure = async (reader: Member, rated: Member, positive: number, text: string): Promise<void> => {
  await open(reader, `/users/${rated.username}`);
  await expect(reader.page.getByText(`1 deal · ${positive} % positive`)).toBeVisible();
  await expect(ratingsOf(reader).getByText(text)).toBeVisible();
};

test('two buyers make offers; one buys; both rate at once visible; a removed rating leaves the figure', async ({
  browser,
}) => {
  const seller = await enter(browser, 'Selma');
  const buyer = await enter(browser, 'Bruno', true);
  const other = await enter(browser, 'Otilia');
  const moderator = await enter(browser, 'Marshal');
  await withDatabase((db) => db('users').where({ id: moderator.id }).update({ role: 'moderator' }));

  const posted = await seller.page.request.post('/api/ads', {
    headers: { ...SAME_ORIGIN, 'Idempotency-Key': newWord('key') },
    data: { title: TITLE, description: 'It runs.', price: 120, priceType: 'negotiable', category: 'other' },
  });
  expect(posted.status()).toBe(201);
  const { id: adId } = await posted.json();

  await test.step('both buyers write and make an offer', async () => {
    await writeToSeller(buyer, adId, 'Does it still draw a line?');
    await buyer.page.getByRole('button', { name: 'Make an Offer' }).tap();
    await sendOffer(buyer.page, 80);
    await expect(lastOffer(buyer)).toContainText('$80');
    await writeToSeller(other, adId, 'Is it complete?');
    await other.page.getByRole('button', { name: 'Make an Offer' }).click();
    await sendOffer(other.page, 70);
    await expect(lastOffer(other)).toContainText('$70');
  });

  await test.step('the seller counters the offer of the first buyer', async () => {
    await openConversation(seller, buyer);
    await seller.page.getByRole('button', { name: 'Counter the offer of $80' }).click();
    await sendOffer(seller.page, 100);
    await expect(lastOffer(buyer)).toContainText('$100');
    await expect(lastOffer(buyer)).toContainText('counter offer');
  });

  await test.step('who accepts, and the item is reserved for them', async () => {
    await buyer.page.getByRole('button', { name: 'Accept the offer of $100' }).tap();
    await confirm(buyer, 'Accept');
    await expect(lastOffer(seller)).toContainText('Accepted');
    for (const { page } of [buyer, seller])
      await expect(page.getByText(/^Agreed at \$100\. Reserved until/)).toBeVisible();
  });

  await test.step('the second buyer sees that it is reserved, and not for whom', async () => {
    const { page } = other;
    const refused = await page.request.post('/api/offers', {
      headers: { ...SAME_ORIGIN, 'Idempotency-Key': newWord('key') },
      data: { adId, receiverId: seller.id, amount: 110 },
    });
    expect(refused.status()).toBe(409);
    expect(await refused.json()).toMatchObject({
      code: 'conflict',
      message: 'This item is reserved for another person.',
      fields: { state: 'reserved' },
    });
    await open(other, `/messages/${adId}/${seller.id}`);
    await expect(page.getByText('Reserved', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Withdraw the offer of $70' }).click();
    await expect(lastOffer(other)).toContainText('Withdrawn');
    await expect(page.getByRole('button', { name: 'Make an Offer' })).toHaveCount(0);
    await expect(page.getByPlaceholder('Write your message...'), 'they may still write').toBeVisible();
    await open(other, `/ads/${adId}`);
    await expect(
      page.getByText('This item is reserved for another person. You can still write to the seller.'),
    ).toBeVisible();
    expect(await read(other, `/api/ads/${adId}`)).not.toContain(buyer.name);
  });

  await test.step('the seller marks it as sold to the first buyer', async () => {
    const { page } = seller;
    await open(seller, `/messages/${adId}/${buyer.id}`);
    await page.getByRole('button', { name: 'Mark as sold' }).click();
    const dialog = page.getByRole('dialog', { name: 'Who bought it?' });
    await expect(dialog.getByRole('radio', { name: new RegExp(buyer.name) })).toBeChecked();
    await expect(dialog.getByRole('radio', { name: new RegExp(other.name) })).not.toBeChecked();
    await dialog.getByRole('button', { name: 'Mark as Sold' }).click();
    await expect(toast(page, `${buyer.name} is notified.`)).toBeVisible();
    await expect(page.getByText(`Sold to ${buyer.name}`)).toBeVisible();
    await expect(page.getByText('$100 agreed')).toBeVisible();
  });

  await test.step('each buyer is notified of what concerns them', async () => {
    await open(other, '/notifications');
    await expect(other.page.getByRole('link', { name: 'This item has been sold.' })).toHaveCount(1);
    await expect(other.page.getByText('sold this to you')).toHaveCount(0);
    expect(await read(other, `/api/ads/${adId}`), 'who bought it is private').not.toContain(buyer.name);
    await open(buyer, '/notifications');
    await expect(buyer.page.getByText('This item has been sold.')).toHaveCount(0);
    await buyer.page.getByRole('link', { name: `${seller.name} sold this to you. Did you buy it?` }).tap();
    await buyer.page.waitForURL('**/dashboard#purchases');
  });

  await test.step('their conversation says who bought it, and leads to the ratings', async () => {
    await open(seller, `/messages/${adId}/${buyer.id}`);
    await expect(seller.page.getByText(`Sold to ${buyer.name}`)).toBeVisible();
    await inspect(seller.page, 'conversation-sold');
    await open(buyer, `/messages/${adId}/${seller.id}`);
    await expect(buyer.page.getByText(`Bought from ${seller.name}`)).toBeVisible();
    await buyer.page.getByRole('link', { name: `Rate ${seller.name}` }).tap();
    await buyer.page.waitForURL(/dashboard#deal-\d+-ratings$/);
  });

  await test.step('the buyer rates, and the rating stays hidden', async () => {
    const purchases = buyer.page.getByRole('region', { name: 'Purchases' });
    await rate(buyer, purchases, seller, { value: 'Good', tag: 'Friendly', text: PRAISE });
    await expect(purchases.getByText(PRAISE)).toBeVisible();
    await expect(purchases.getByText(`Public when ${seller.name} has rated you`)).toBeVisible();
    const talk = `conversations/${adId}/${buyer.id}`;
    for (const path of ['sales', `ads/${adId}/deal`, talk, 'users/me/export', 'notifications'])
      expect(await read(seller, `/api/${path}`), path).not.toContain(PRAISE);
    for (const reader of [seller, other]) await expectUnrated(reader, seller);
  });

  await test.step('the seller rates too, by the notification', async () => {
    const { page } = seller;
    await open(seller, '/notifications');
    await page.getByRole('link', { name: `${buyer.name} rated you. Rate them to see it.` }).click();
    await page.waitForURL('**/dashboard#deal-*');
    const sales = page.getByRole('region', { name: 'Sales', exact: true });
    await expect(sales.getByRole('heading', { name: TITLE })).toBeVisible();
    await expect(sales.getByText(PRAISE)).toHaveCount(0);
    await expectUnrated(other, buyer);
    await rate(seller, sales, buyer, { value: 'Bad', tag: 'Slow to answer', text: SLANDER });
    await expect(toast(page, 'Both ratings are public now.')).toBeVisible();
    await expect(sales.getByText(PRAISE)).toBeVisible();
  });

  await test.step('both ratings are public at once', async () => {
    await expectFigure(other, seller, 100, PRAISE);
    await expectFigure(other, buyer, 0, SLANDER);
    await open(other, `/ads/${adId}`);
    await expect(other.page.getByText('1 deal · 100 %').locator('visible=true').first()).toBeVisible();
  });

  await test.step('the buyer reports the rating about them', async () => {
    const { page } = buyer;
    await open(buyer, '/notifications');
    await page
      .getByRole('link', { name: `${seller.name} rated you`, exact: false })
      .first()
      .tap();
    await page.waitForURL(`**/users/${buyer.username}#ratings`);
    await ratingsOf(buyer)
      .getByRole('button', { name: `Report the rating by ${seller.name}` })
      .tap();
    const dialog = page.getByRole('dialog', { name: 'Report this rating' });
    await dialog.getByRole('radio', { name: 'Offensive content' }).check();
    await dialog.getByRole('button', { name: 'Send Report' }).tap();
    await expect(toast(page, 'Thank you. We will look into it.')).toBeVisible();
    await expect(ratingsOf(buyer).getByText(SLANDER), 'it waits for a moderator').toBeVisible();
  });

  await test.step('a moderator removes it', async () => {
    const { page } = moderator;
    await open(moderator, '/');
    await page.getByRole('button', { name: 'Account', exact: true }).click();
    await page.getByRole('menuitem', { name: /^Admin Panel/ }).click();
    await page.getByRole('tab', { name: /^Reports/ }).click();
    const queue = page.getByRole('region', { name: 'Cases' });
    await queue
      .getByRole('listitem')
      .filter({ hasText: seller.name })
      .getByRole('link', { name: 'Bad rating' })
      .click();
    const panel = page.getByRole('region', { name: 'Case', exact: true });
    await expect(panel.getByText(SLANDER)).toBeVisible();
    await panel.getByRole('radio', { name: 'Remove rating' }).check();
    await panel.getByRole('button', { name: 'Decide' }).click();
    await expect(toast(page, 'Rating removed: Bad rating')).toBeVisible();
  });

  await test.step('the figure follows, and both people are notified', async () => {
    await expectUnrated(other, buyer);
    await expectFigure(other, seller, 100, PRAISE);
    await open(buyer, '/notifications');
    await expect(buyer.page.getByText('We took action on what you reported.')).toBeVisible();
    await open(seller, '/notifications');
    await seller.page.getByRole('link', { name: `We removed your rating of the deal “${TITLE}”` }).click();
    await expect(seller.page.getByRole('button', { name: 'Appeal this decision' })).toBeVisible();
    await open(seller, '/dashboard#sales');
    const sales = seller.page.getByRole('region', { name: 'Sales', exact: true });
    await expect(sales.getByText('A moderator removed this rating. Only you see it.')).toBeVisible();
  });

  for (const { problems, name } of [seller, buyer, other, moderator]) expect(problems, name).toEqual([]);
  await Promise.all([seller, buyer, other, moderator].map(({ close }) => close()));
});
