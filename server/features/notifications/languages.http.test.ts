import { afterAll, beforeAll, expect, test } from 'vitest';
import { signInAdmin } from '../../../contract/auth.ts';
import { setMyEmail } from '../../../contract/email.ts';
import { streamMessages } from '../../../contract/messages.ts';
import { listNotifications } from '../../../contract/notifications.ts';
import { subscribeToPush } from '../../../contract/push.ts';
import { exportMyData, setLanguage } from '../../../contract/users.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { createBrowser, readMark } from '../../../test/harness/client.ts';
import { openEventSource } from '../../../test/harness/event-source.ts';
import { insertAdmin, PASSWORD } from '../../../test/harness/factories.ts';
import { insertWorded } from '../../../test/harness/notifications.ts';
import { type PushService, startPushService } from '../../../test/harness/push-service.ts';
import { openSmtpServer } from '../../../test/harness/smtp-server.ts';
import { inTransaction } from '../../db/transaction.ts';
import { jobHandlers } from '../../job-handlers.ts';
import { runDueJobs } from '../../jobs/worker.ts';
import { insertNotification } from './repository.ts';

const smtp = await openSmtpServer();
const { app, url, createPerson } = await openTestApp({
  env: { LOCALES: 'en,de,ja,ar', SMTP_URL: smtp.url, MAIL_PER_SECOND: '1000' },
});
let service: PushService;
beforeAll(async () => {
  service = await startPushService();
});
afterAll(() => service.close());

const notify = (userId: string) =>
  inTransaction(app.db, (trx) =>
    insertNotification(trx, {
      userId,
      kind: 'price_drop',
      params: {
        is: 'dropped',
        ad: 'Road bike',
        now: { amount: '380', currency: 'EUR', priceType: 'fixed' },
        before: { amount: '450', currency: 'EUR' },
      },
      url: '/ads/5',
    }),
  );

const tellOfSale = (userId: string) =>
  inTransaction(app.db, (trx) =>
    insertNotification(trx, { userId, kind: 'deal', params: { is: 'sold', ad: 'Road bike' }, url: '/ads/5' }),
  );

test('a notification follows the language of its reader; one of before keeps its words', async () => {
  const { id, client } = await createPerson();
  await inTransaction(app.db, (trx) =>
    insertWorded(trx, [{ userId: id, kind: 'deal', title: 'This item has been sold.', body: 'Kids’ bike' }]),
  );
  await notify(id);
  const old = { title: 'This item has been sold.', body: 'Kids’ bike' };
  expect(await client.ok(listNotifications)).toMatchObject([
    { title: 'Price dropped: Road bike', body: 'Now €380, was €450' },
    old,
  ]);
  const mark = readMark(await client.call(setLanguage, { body: { language: 'ar' } }));
  client.headers = { ...client.headers, Cookie: `${client.headers.Cookie}; ${mark}` };
  const [arabic, ofBefore] = await client.ok(listNotifications);
  expect(arabic?.title).toBe('انخفض السعر: \u2068Road bike\u2069');
  expect(arabic?.body).toContain('380');
  expect(ofBefore).toMatchObject(old);
  const { notifications } = (await client.ok(exportMyData)) as { notifications: Record<string, unknown>[] };
  expect(notifications).toMatchObject([old, { kind: 'price_drop', title: arabic?.title, isRead: false }]);
  expect(notifications[1]).not.toHaveProperty('params');
});

test('who has chosen no language reads it as their browser is set', async () => {
  const { id, client } = await createPerson();
  await notify(id);
  const { body } = await client.call(listNotifications, { headers: { 'Accept-Language': 'ja' } });
  expect(body).toMatchObject([{ title: '値下げ：Road bike' }]);
});

test('replicas of the previous release read it in English', async () => {
  const { id } = await createPerson();
  await notify(id);
  expect(await app.db('notifications').where({ user_id: id }).first()).toMatchObject({
    title: 'Price dropped: Road bike',
    body: 'Now €380, was €450',
  });
});

test('a push speaks the language that its receiver has chosen', async () => {
  const { id, client } = await createPerson();
  const browser = service.subscribe();
  await client.ok(subscribeToPush, { body: { endpoint: browser.endpoint, keys: browser.keys } });
  await client.ok(setLanguage, { body: { language: 'ja' } });
  await notify(id);
  await runDueJobs(app, jobHandlers);
  expect(browser.pushes.map(({ payload }) => payload)).toMatchObject([{ title: '値下げ：Road bike', url: '/ads/5' }]);
});

test('a mail speaks the language that its receiver has chosen, also one about no notification', async () => {
  const { id, client } = await createPerson();
  const address = `person-${id}@mail.example`;
  await app.db('email_addresses').insert({ user_id: id, address, uses_x: false, confirmed_at: app.db.fn.now() });
  await client.ok(setLanguage, { body: { language: 'de' } });
  await tellOfSale(id);
  await client.ok(setMyEmail, { body: { email: `new-${address}` } });
  await runDueJobs(app, jobHandlers);
  const [sale, confirmation] = [address, `new-${address}`].map(
    (to) => smtp.letters.find((one) => one.to.includes(`<${to}>`))!,
  );
  expect(sale?.data).toContain('Subject: Dieser Artikel ist verkauft.\n');
  expect(sale?.data).toContain('<html lang=3D"de" dir=3D"ltr">');
  expect(sale?.data).toMatch(/^List-Unsubscribe:\s+<http/m);
  expect(confirmation?.data).toContain('E-Mail-Adresse best=C3=A4tigen');
});

test('days are those where the browser is that was used last; before that, and for an unknown place, those of the site', async () => {
  const { id, client } = await createPerson();
  const address = `person-${id}@mail.example`;
  await app.db('email_addresses').insert({ user_id: id, address, uses_x: false, confirmed_at: app.db.fn.now() });
  const openIn = async (timeZone: string) => {
    const stream = await openEventSource(
      `${url}${streamMessages.path}?timeZone=${encodeURIComponent(timeZone)}`,
      client.headers,
    );
    await stream.close();
  };
  const readDays = async () => {
    await inTransaction(app.db, (trx) =>
      insertNotification(trx, {
        userId: id,
        kind: 'ad_expiring',
        params: { is: 'expiring', ad: 'Road bike', day: '2026-12-03T23:30:00.000Z' },
        url: '/ads/5',
      }),
    );
    await runDueJobs(app, jobHandlers);
    const mails = smtp.letters.filter(({ to }) => to.includes(`<${address}>`));
    const [told] = await client.ok(listNotifications);
    return [mails.at(-1)?.data, told?.body].map((words) => /December \d/.exec(words ?? '')?.[0]);
  };
  expect(await readDays()).toEqual(['December 3', 'December 3']);
  await openIn('Asia/Tokyo');
  await expect.poll(readDays).toEqual(['December 4', 'December 4']);
  for (const wrong of ['Mars/Olympus', '+09:00', 'x'.repeat(10_000), '']) await openIn(wrong);
  expect(await app.db('users').where({ id }).first('time_zone')).toEqual({ time_zone: 'Asia/Tokyo' });
  expect(await client.ok(exportMyData)).toMatchObject({ profile: { timeZone: 'Asia/Tokyo' } });
  await openIn('America/New_York');
  await expect.poll(readDays).toEqual(['December 3', 'December 3']);
});

test('who has chosen no language gets mail in that of the browser that signed in last', async () => {
  const { id, login } = await insertAdmin(app);
  const address = `person-${id}@mail.example`;
  await app.db('email_addresses').insert({ user_id: id, address, uses_x: false, confirmed_at: app.db.fn.now() });
  const signInFrom = async (language: string) => {
    const client = createBrowser(url);
    client.headers = { ...client.headers, 'Accept-Language': language };
    await client.ok(signInAdmin, { body: { username: login, password: PASSWORD } });
    return client;
  };
  const readMails = async () => {
    await tellOfSale(id);
    await runDueJobs(app, jobHandlers);
    return smtp.letters
      .filter(({ to }) => to.includes(`<${address}>`))
      .map(({ data }) => /lang=3D"(\w+)"/.exec(data)?.[1]);
  };
  await signInFrom('ja');
  expect(await readMails()).toEqual(['ja']);
  const client = await signInFrom('de,ja;q=0.5');
  expect(await readMails()).toEqual(['ja', 'de']);
  await client.ok(setLanguage, { body: { language: 'ar' } });
  expect(await readMails()).toEqual(['ja', 'de', 'ar']);
});
