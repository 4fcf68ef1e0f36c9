import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import * as admin from '../../contract/admin.ts';
import * as ads from '../../contract/ads.ts';
import * as contact from '../../contract/contact.ts';
import { RATE_LIMITS } from '../../contract/limits.ts';
import { sendMessage, streamMessages } from '../../contract/messages.ts';
import { listNotifications } from '../../contract/notifications.ts';
import { openEventSource } from '../../test/harness/event-source.ts';
import { adBody, insertAdmin, insertCategories, insertUser } from '../../test/harness/factories.ts';
import { makePhoto, toDataUrl } from '../../test/harness/photos.ts';
import { openSmtpServer } from '../../test/harness/smtp-server.ts';
import { startReplicas } from '../../test/harness/two-replicas.ts';
import { hasOpenStream } from '../features/messages/presence-repository.ts';
import { DEFAULT_SETTINGS } from '../features/settings/repository.ts';
import { listQueuedJobs, retryJobs } from '../jobs/queue.ts';

const IMAGE_DIR = await mkdtemp(join(tmpdir(), 'tradepost-images-'));
afterAll(() => rm(IMAGE_DIR, { recursive: true }));
const smtp = await openSmtpServer();
const { app, urls, anonymous, signIn } = await startReplicas(
  {
    RATE_LIMIT_SCALE: '1',
    SMTP_URL: smtp.url,
    CONTACT_EMAIL: 'desk@example.com',
    MAIL_FROM: 'shop@example.com',
    IMAGE_DIR,
  },
  // While images are being moved, one replica still stores new ones in the database.
  [{ IMAGE_STORE: 'database' }, { IMAGE_STORE: 'filesystem' }],
);
await insertCategories(app);
const [here, there] = anonymous;
const chief = await signIn((await insertAdmin(app)).id, 'password');

test('a limit counts what was sent to either, and each letter is mailed once', async () => {
  const send = (at: typeof here, n: number) =>
    at.call(contact.sendContact, {
      body: { name: 'Ann', email: 'ann@example.com', subject: `Letter ${n}`, message: 'Hello' },
    });
  const { points } = RATE_LIMITS.contact;
  for (let n = 0; n < points; n++) expect((await send(n % 2 ? there : here, n)).status).toBe(202);
  expect((await send(here, points)).status).toBe(429);
  expect((await send(there, points)).status).toBe(429);
  await expect.poll(() => app.db('contact_messages').whereNull('mailed_at').count()).toEqual([{ count: '0' }]);
  const subjects = smtp.letters.map(({ data }) => /Letter \d/.exec(data)?.[0]);
  expect(subjects.sort()).toEqual(Array.from({ length: points }, (_, n) => `Letter ${n}`));
});

test('settings changed at one decide at the other at once', async () => {
  const [seller] = await signIn((await insertUser(app)).id);
  for (const [round, word] of ['blunderbuss', 'halberd'].entries()) {
    await chief[1].ok(admin.updateSettings, { body: { ...DEFAULT_SETTINGS, bannedWords: [word] } });
    const description = `Round ${round}.`;
    const titles = ['blunderbuss', 'halberd'].map((title) =>
      seller.call(ads.createAd, { body: adBody({ title, description }) }),
    );
    const [blunderbuss, halberd] = (await Promise.all(titles)).map(({ body }) => body.state);
    expect({ blunderbuss, halberd }).toEqual({ blunderbuss: 'active', halberd: 'active', [word]: 'pending' });
  }
});

test('who is banned at one writes no more at the other, and reads soon as a stranger', async () => {
  const user = await insertUser(app);
  const [atHere, atThere] = await signIn(user.id);
  const mine = () => atThere.send('/api/me').then(({ status, body }) => (status === 200 ? body?.id : status));
  await atThere.ok(ads.createAd, { body: adBody() });
  await atHere.ok(ads.createAd, { body: adBody() });
  await chief[0].ok(admin.banUser, { params: { id: user.id }, body: { reason: 'spam' } });
  expect((await atThere.call(ads.createAd, { body: adBody() })).status).toBe(401);
  await expect.poll(mine).not.toBe(user.id);
});

test('who wrote at one reads it at the other at once, everybody else soon', async () => {
  const [atHere, atThere] = await signIn((await insertUser(app)).id);
  const { id } = await atHere.ok(ads.createAd, { body: adBody({ title: 'Old words' }) });
  const titleFor = async (client: typeof here) => {
    const found = await client.ok(ads.listAds);
    return found.find((ad) => ad.id === id)?.title;
  };
  await expect.poll(() => titleFor(there)).toBe('Old words');
  const { headers } = await atHere.call(ads.updateAd, { params: { id }, body: adBody({ title: 'New words' }) });
  const mark = headers.getSetCookie().find((cookie) => cookie.startsWith('wrote='));
  atThere.headers.Cookie += `; ${mark?.split(';')[0]}`;
  expect(await titleFor(atThere)).toBe('New words');
  await expect.poll(() => titleFor(there)).toBe('New words');
});

test('an open page at one keeps a message that was sent at the other out of the notifications, until it closes', async () => {
  const [{ id: sellerId }, { id: buyerId }] = [await insertUser(app), await insertUser(app)];
  const [[, seller], [, buyer]] = [await signIn(sellerId), await signIn(buyerId)];
  const { id: adId } = await seller.ok(ads.createAd, { body: adBody() });
  const stream = await openEventSource(urls[0] + streamMessages.path, seller.headers);
  await expect.poll(() => hasOpenStream(app.db, sellerId)).toBe(true);
  const { id } = await buyer.ok(sendMessage, { body: { adId, receiverId: sellerId, content: 'Hello' } });
  const findJob = async () => (await listQueuedJobs(app.db, { name: 'remind-of-messages', limit: 10 }))[0];
  /** Moves the message two minutes into the past, and waits until a replica has run the reminder. */
  const letPass = async () => {
    await app
      .db('messages')
      .where({ id })
      .update({ created_at: app.db.raw("created_at - interval '121 seconds'") });
    const job = (await findJob())!;
    await retryJobs(app.db, [job.id]);
    await expect.poll(async () => (await findJob())?.id).not.toBe(job.id);
  };
  await letPass();
  expect(await seller.ok(listNotifications)).toEqual([]);
  await stream.close();
  await expect.poll(() => hasOpenStream(app.db, sellerId)).toBe(false);
  await letPass();
  expect(await seller.ok(listNotifications)).toMatchObject([{ kind: 'message' }]);
});

test.each([
  ['the database', 0],
  ['files', 1],
] as const)(
  'an image posted where the store is %s is shown by both, and after its deletion by neither',
  async (_, at) => {
    const seller = (await signIn((await insertUser(app)).id))[at];
    const photo = toDataUrl(await makePhoto({ width: 300, height: 200, seed: 70 + at }));
    const { id, imageUrls } = await seller.ok(ads.createAd, { body: adBody({ imageUrls: [photo] }) });
    const statuses = () => Promise.all([here, there].map(async (client) => (await client.send(imageUrls[0]!)).status));
    expect(await statuses()).toEqual([200, 200]);
    await seller.ok(ads.deleteAd, { params: { id } });
    await app.db('images').update({ created_at: app.db.raw("now() - interval '2 hours'") });
    const { deleteUnusedImages } = await import('../features/images/files.ts');
    expect(await deleteUnusedImages(app)).toBe(1);
    await expect.poll(statuses).toEqual([404, 404]);
  },
);
