import { type APIRequestContext, expect, type Page, request as requests } from '@playwright/test';
import type { EmailState } from '../../contract/email.ts';
import type { Case } from '../../contract/reports.ts';
import type { SavedSearch } from '../../contract/saved-searches.ts';
import type { ReadMail } from '../../local/mailbox/store.ts';
import { expectAlive } from './alive.ts';
import { BUYER, createUser, listAds, SELLER, sendAs } from './content.ts';
import { listMails, receiveMail } from './mailbox.ts';
import { sayEnglish } from './pseudo.ts';
import type { Screen } from './screens.ts';

/** What the placeholders in the paths of SCREENS mean in this marketplace. */
export type ScreenNames = Map<string, string>;

/** Creates what SCREENS show, unless it exists. */
export const prepareScreens = async (baseURL: string): Promise<ScreenNames> => {
  const names: ScreenNames = new Map();
  const request = await requests.newContext({ baseURL });
  names.set(':ad', (await listAds(request, '?search=basketball'))[0]?.id ?? '');
  names.set(':talk', (await listAds(request, '?search=two-seat+sofa'))[0]?.id ?? '');
  names.set(':bicycle', (await listAds(request, '?search=trekking+bicycle'))[0]?.id ?? '');
  const ending = (await listAds(request, '?search=wool+sweater'))[0]?.id ?? '';
  const { expiresAt } = await sendAs(request, SELLER, `/api/ads/${ending}`);
  names.set(':ending', `ad=${ending}&ends=${encodeURIComponent(expiresAt)}`);
  names.set(':renewed', `ad=${names.get(':ad')}&ends=2026-01-01T00:00:00.000Z`);
  names.set(':dropped', (await listAds(request, '?search=striped+sweater'))[0]?.id ?? '');
  await enterAddresses(request);
  await saveSearches(request);
  await reportSeller(request, names);
  await receiveMails(request, names);
  await banSomebody(request, names);
  await request.dispose();
  return names;
};

const CONFIRM = 'Confirm your e-mail address for Tradepost';
const ADDRESSES = { [SELLER]: 'seller-one@mail.example', [BUYER]: 'buyer-two@mail.example' };

const findToken = ({ text }: ReadMail): string => /[?]token=(\S+)/.exec(text)?.[1] ?? '';

const enterAddress = async (request: APIRequestContext, userId: string, email: string): Promise<void> => {
  const headers = { 'Sec-Fetch-Site': 'same-origin', 'X-Test-User': userId };
  expect((await request.put('/api/users/me/email', { headers, data: { email } })).ok()).toBe(true);
};

const confirmAddress = async (request: APIRequestContext, userId: string, email: string): Promise<void> => {
  const token = findToken(await receiveMail(email, CONFIRM));
  await sendAs(request, userId, '/api/email/verify', { token });
};

/** The seller confirms an address, the buyer enters one. */
const enterAddresses = async (request: APIRequestContext): Promise<void> => {
  for (const [userId, email] of Object.entries(ADDRESSES)) {
    const { address, pending }: EmailState = await sendAs(request, userId, '/api/users/me/email');
    if (address ?? pending) continue;
    await enterAddress(request, userId, email);
    if (userId === SELLER) await confirmAddress(request, userId, email);
  }
};

const saveSearches = async (request: APIRequestContext): Promise<void> => {
  const saved: SavedSearch[] = await sendAs(request, SELLER, '/api/saved-searches');
  if (saved.length > 0) return;
  const sofas = { name: 'Sofas', frequency: 'daily', filters: { search: 'sofa', maxPrice: '300' } };
  const bikes = { name: 'A bicycle for the way to work, with lights', frequency: 'never', filters: { search: 'bike' } };
  for (const search of [sofas, bikes]) await sendAs(request, SELLER, '/api/saved-searches', search);
};

/** Reads the tokens of the mails that arrived, and unsubscribes the seller from notices. */
const receiveMails = async (request: APIRequestContext, names: ScreenNames): Promise<void> => {
  const admin = await createUser('Ada Admin', 'admin');
  const notice = { userId: SELLER, title: 'Welcome', body: 'Nice to have you here.' };
  const email = ADDRESSES[SELLER];
  if ((await listMails(email)).every(({ subject }) => subject !== notice.title))
    await sendAs(request, admin.id, '/api/admin/notices', notice);
  names.set(':confirm', findToken(await receiveMail(ADDRESSES[BUYER], CONFIRM)));
  names.set(':leave', findToken(await receiveMail(email, 'You received a warning')));
  names.set(':left', findToken(await receiveMail(email, notice.title)));
  const path = `/unsubscribe?token=${names.get(':left')}`;
  expect((await request.post(path, { form: { 'List-Unsubscribe': 'One-Click' } })).ok()).toBe(true);
};

/** Leaves an open case about the seller's ad, and a decision about the seller. */
const reportSeller = async (request: APIRequestContext, names: ScreenNames): Promise<void> => {
  const details = 'Wants a deposit by wire transfer before I may see it';
  const targetId = names.get(':ad');
  await sendAs(request, BUYER, '/api/reports', { targetType: 'ad', targetId, reason: 'scam', details });
  await sendAs(request, BUYER, '/api/reports', { targetType: 'user', targetId: SELLER, reason: 'harassment' });
  const moderator = await createUser('Maria Moderator', 'moderator');
  const cases: Case[] = await sendAs(request, moderator.id, '/api/admin/reports?status=open');
  names.set(':case', cases.find((one) => one.targetType === 'ad' && one.targetId === targetId)?.id ?? '');
  const person = cases.find((one) => one.targetType === 'user' && one.targetId === SELLER);
  const decision = { action: 'warn', reason: 'harassment', note: 'Stop writing when a buyer asks you to.' };
  await sendAs(request, moderator.id, `/api/admin/reports/${person?.id}/decision`, decision);
};

/** Leaves the link of a banned person, who got it by mail. */
const banSomebody = async (request: APIRequestContext, names: ScreenNames): Promise<void> => {
  const [admin, { id, username }] = [await createUser('Ada Admin', 'admin'), await createUser('Bea Banned')];
  const email = `${username}@mail.example`;
  await enterAddress(request, id, email);
  await confirmAddress(request, id, email);
  await sendAs(request, admin.id, `/api/admin/users/${id}/ban`, { reason: 'Sells copies.' });
  names.set(':ban', findToken(await receiveMail(email, 'Your account is banned')));
};

export const addressOf = ({ path }: Pick<Screen, 'path'>, names: ScreenNames): string =>
  path.replace(
    /:(ad|talk|case|ending|renewed|dropped|confirm|leave|left|bicycle|ban|reserved|offered)\b/g,
    (name) => names.get(name) ?? '',
  );

/** Opens a screen and waits until it shows its text. */
export const showScreen = async (
  page: Page,
  screen: Pick<Screen, 'name' | 'path' | 'open' | 'shows'>,
  names: ScreenNames,
  say = sayEnglish,
): Promise<void> => {
  await page.goto(addressOf(screen, names));
  if (screen.open) {
    await expectAlive(page);
    await screen.open(page, say);
  }
  await expect(page.getByText(say(screen.shows)).locator('visible=true').first(), screen.name).toBeVisible();
  await expectAlive(page);
};
