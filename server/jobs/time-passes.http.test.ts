// What people see after seven, 30 and 90 days: a second server on the same database, whose clock is ahead.

import { beforeAll, expect, test } from 'vitest';
import { suspendUser } from '../../contract/admin.ts';
import { createAd, getAd, listAds } from '../../contract/ads.ts';
import { getMe } from '../../contract/auth.ts';
import { listNotifications } from '../../contract/notifications.ts';
import { listMyDecisions } from '../../contract/reports.ts';
import { getProfile } from '../../contract/users.ts';
import { openTestApp, type TestApp } from '../../test/harness/app.ts';
import { createClient } from '../../test/harness/client.ts';
import { adBody, insertCategories, insertUser } from '../../test/harness/factories.ts';
import { JUST_WROTE } from '../../test/harness/sessions.ts';
import { inTransaction } from '../db/transaction.ts';
import { insertNotifications } from '../features/notifications/repository.ts';
import { jobHandlers } from '../job-handlers.ts';
import type { JobRun } from './queue.ts';

const today = await openTestApp();
const soon = await today.openLater('6d');
const afterAWeek = await today.openLater('8d');
const afterAMonth = await today.openLater('31d');
const afterThreeMonths = await today.openLater('91d');

// others see a change within a second; these tests want it at once
for (const { anonymous } of [today, soon, afterAWeek, afterAMonth]) anonymous.headers.Cookie = JUST_WROTE;

beforeAll(() => insertCategories(today.app));

const RUN: JobRun = { attempt: 1, maxAttempts: 1, signal: new AbortController().signal };

const isPublic = async ({ anonymous }: TestApp, id: string) => ({
  page: (await anonymous.call(getAd, { params: { id } })).status === 200,
  list: (await anonymous.ok(listAds, { query: { limit: '100' } })).some((ad) => ad.id === id),
});

test('a suspension of seven days ends by itself, for reads and writes', async () => {
  const [moderator, seller] = [await insertUser(today.app, { role: 'moderator' }), await insertUser(today.app)];
  const params = { id: seller.id };
  const body = { days: 7, reason: 'scam', note: '' } as const;
  await (await today.signIn(moderator.id)).ok(suspendUser, { params, body });
  for (const [site, isSuspended] of [
    [today, true],
    [soon, true],
    [afterAWeek, false],
  ] as const) {
    const client = await site.signIn(seller.id);
    const { suspendedUntil } = await client.ok(getMe);
    const profile = await site.anonymous.call(getProfile, { params: { username: seller.username! } });
    const ad = await client.call(createAd, { body: adBody() });
    const [decision] = (await client.ok(listMyDecisions)) as { canAppeal: boolean }[];
    expect({
      suspended: suspendedUntil !== null,
      profile: profile.status,
      ad: ad.status,
      canAppeal: decision!.canAppeal,
    }).toEqual(
      isSuspended
        ? { suspended: true, profile: 404, ad: 403, canAppeal: true }
        : { suspended: false, profile: 200, ad: 201, canAppeal: false },
    );
  }
});

test('an ad leaves the lists after 30 days, and a new one begins its own', async () => {
  const seller = await insertUser(today.app);
  const ad = await (await today.signIn(seller.id)).ok(createAd, { body: adBody() });
  expect(await isPublic(today, ad.id)).toEqual({ page: true, list: true });
  await jobHandlers['expire-ads'](soon.app, {}, RUN);
  expect(await isPublic(soon, ad.id)).toEqual({ page: true, list: true });
  await jobHandlers['expire-ads'](afterAMonth.app, {}, RUN);
  expect(await isPublic(afterAMonth, ad.id)).toEqual({ page: false, list: false });
  const later = await (await afterAMonth.signIn(seller.id)).ok(createAd, { body: adBody() });
  expect(Date.parse(later.expiresAt!) - Date.parse(ad.expiresAt!)).toBeGreaterThan(30 * 86_400_000);
  expect(await isPublic(afterAMonth, later.id)).toEqual({ page: true, list: true });
});

test('notifications older than 90 days are gone after the job, and newer ones stay', async () => {
  const { id } = await insertUser(today.app);
  const notify = ({ app }: TestApp, title: string) =>
    inTransaction(app.db, (trx) => insertNotifications(trx, [{ userId: id, kind: 'notice', title, body: '' }]));
  await notify(today, 'Old');
  await notify(afterAWeek, 'New');
  await jobHandlers['clean-up'](afterAMonth.app, {}, RUN);
  const list = async () => (await (await afterThreeMonths.signIn(id)).ok(listNotifications)).map(({ title }) => title);
  expect(await list()).toEqual(['New', 'Old']);
  await jobHandlers['clean-up'](afterThreeMonths.app, {}, RUN);
  expect(await list()).toEqual(['New']);
});

test('a session ends where its time is over, and goes on where it is not', async () => {
  const { id } = await insertUser(today.app);
  const { Cookie } = (await today.signIn(id)).headers;
  const read = ({ url }: TestApp) => createClient(url, { Cookie: Cookie! }).call(getMe);
  expect((await read(soon)).status).toBe(200);
  expect((await read(afterThreeMonths)).status).toBe(401);
});
