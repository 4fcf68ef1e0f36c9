import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAd, deleteAd } from '../../../contract/ads.ts';
import { blockUser } from '../../../contract/blocks.ts';
import { markMessageRead, sendMessage, streamMessages } from '../../../contract/messages.ts';
import { listNotifications, markAllNotificationsRead } from '../../../contract/notifications.ts';
import { openTestApp, type Person } from '../../../test/harness/app.ts';
import { openEventSource } from '../../../test/harness/event-source.ts';
import { adBody, insertCategories } from '../../../test/harness/factories.ts';
import { inTransaction } from '../../db/transaction.ts';
import { cleanUp, jobHandlers } from '../../job-handlers.ts';
import { listQueuedJobs, retryJobs } from '../../jobs/queue.ts';
import { runDueJobs } from '../../jobs/worker.ts';
import { suspend } from '../account/removal.ts';
import { lockUserForUpdate } from '../users/repository.ts';
import { createPresence } from './presence.ts';
import { hasOpenStream } from './presence-repository.ts';
import { resumeReminders } from './reminders.ts';

const { app, url, createPerson } = await openTestApp();

beforeAll(() => insertCategories(app));

let seller: Person;
let buyer: Person;
let ad: { id: string; title: string };
beforeEach(async () => {
  [seller, buyer] = [await createPerson(), await createPerson()];
  ad = await seller.client.ok(createAd, { body: adBody() });
});

const send = async (content = 'A secret text', from = buyer, to = seller): Promise<string> =>
  (await from.client.ok(sendMessage, { body: { adId: ad.id, receiverId: to.id, content } })).id;
const read = (id: string, by = seller) => by.client.ok(markMessageRead, { params: { id } });
const listReceived = (by = seller) => by.client.ok(listNotifications);
const listReminders = () => app.db('message_reminders').where({ receiver_id: seller.id });
const listJobs = async () => {
  const jobs = await listQueuedJobs(app.db, { name: 'remind-of-messages', limit: 1000 });
  return jobs.map(({ id }) => id);
};
/** Moves the messages into the past and runs the reminders. */
const letPass = async (seconds: number): Promise<void> => {
  await app.db.raw("update messages set created_at = created_at - ? * interval '1 second'", [seconds]);
  await retryJobs(app.db, await listJobs());
  const results = await runDueJobs(app, jobHandlers);
  expect(results.filter(({ status }) => status === 'failed')).toEqual([]);
};
const listenAs = (person: Person) => openEventSource(url + streamMessages.path, person.client.headers);

describe('messages that stay unread', () => {
  test('notify their receiver once after two minutes, until the conversation is read', async () => {
    const ids = [await send(), await send('Another one')];
    await letPass(110);
    expect(await listReceived()).toEqual([]);
    await letPass(11);
    const path = `/messages/${ad.id}/${buyer.id}`;
    const title = `New message from ${(await app.db('users').where({ id: buyer.id }).first()).display_name}`;
    expect(await listReceived()).toMatchObject([{ kind: 'message', title, body: ad.title, url: path, isRead: false }]);
    ids.push(await send('More'));
    await letPass(600);
    expect(await listReceived()).toHaveLength(1);
    expect(await listReceived(buyer)).toEqual([]);

    for (const id of ids.slice(1)) await read(id);
    expect(await listReceived()).toMatchObject([{ isRead: false }]);
    await read(ids[0]!);
    expect(await listReceived()).toMatchObject([{ isRead: true }]);
    expect(await listReminders()).toEqual([]);

    await send('Still there?');
    await letPass(121);
    expect(await listReceived()).toMatchObject([{ isRead: false }, { isRead: true }]);
  });

  test('that arrive at once make one notification', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, n) => send(`Text ${n}`)));
    expect(await listReminders()).toHaveLength(1);
    const before = await listJobs();
    await letPass(121);
    expect(before).toHaveLength(1);
    expect(await listReceived()).toHaveLength(1);
  });

  test('notify both people of a conversation, each of their own', async () => {
    await send();
    await send('An answer', seller, buyer);
    await letPass(121);
    expect([await listReceived(), await listReceived(buyer)]).toMatchObject([
      [{ url: `/messages/${ad.id}/${buyer.id}` }],
      [{ url: `/messages/${ad.id}/${seller.id}` }],
    ]);
  });

  test('stay silent after the notification alone was marked as read', async () => {
    await send();
    await letPass(121);
    const [first] = await listReceived();
    await seller.client.ok(markAllNotificationsRead, { body: { upTo: first!.id } });
    await send();
    await letPass(121);
    expect(await listReceived()).toHaveLength(1);
  });

  test('notify about a deleted ad without its title', async () => {
    await send();
    await seller.client.ok(deleteAd, { params: { id: ad.id } });
    await letPass(121);
    expect(await listReceived()).toMatchObject([{ body: 'Deleted ad' }]);
  });
});

describe('nothing is notified', () => {
  test('of messages that were read in time; a later one waits for its own two minutes', async () => {
    await read(await send());
    await letPass(60);
    await send('Later');
    await letPass(70);
    expect(await listReceived()).toEqual([]);
    await letPass(51);
    expect(await listReceived()).toHaveLength(1);
  });

  test('if all were read; the next message begins again', async () => {
    await read(await send());
    await letPass(121);
    expect([await listReceived(), await listReminders(), await listJobs()]).toEqual([[], [], []]);
    await send();
    await letPass(121);
    expect(await listReceived()).toHaveLength(1);
  });

  test.each<[string, () => Promise<unknown>]>([
    [
      'the sender is suspended',
      () => inTransaction(app.db, async (trx) => suspend(trx, (await lockUserForUpdate(trx, buyer.id))!, 1)),
    ],
    ['the sender is banned', () => app.db('users').where({ id: buyer.id }).update({ banned_at: new Date() })],
    ['the receiver is banned', () => app.db('users').where({ id: seller.id }).update({ banned_at: new Date() })],
    [
      'the sender deleted their account',
      () => app.db('users').where({ id: buyer.id }).update({ deleted_at: new Date() }),
    ],
    ['the receiver blocked the sender', () => seller.client.ok(blockUser, { params: { userId: buyer.id } })],
    ['the sender blocked the receiver', () => buyer.client.ok(blockUser, { params: { userId: seller.id } })],
  ])('if %s', async (_, act) => {
    await send();
    await act();
    await letPass(121);
    expect(await app.db('notifications').where({ user_id: seller.id, kind: 'message' })).toEqual([]);
    expect(await listReminders()).toEqual([]);
  });
});

describe('an open stream of the receiver', () => {
  test('suppresses the notification until it closes', async () => {
    const stream = await listenAs(seller);
    await expect.poll(() => hasOpenStream(app.db, seller.id)).toBe(true);
    await send();
    await letPass(121);
    expect(await listReceived()).toEqual([]);
    expect(await listReminders()).toHaveLength(1);
    await stream.close();
    await expect.poll(() => hasOpenStream(app.db, seller.id)).toBe(false);
    await letPass(121);
    expect(await listReceived()).toHaveLength(1);
  });

  test('counts until the last of several closes', async () => {
    const [one, other] = [await listenAs(seller), await listenAs(seller)];
    await expect.poll(() => hasOpenStream(app.db, seller.id)).toBe(true);
    await one.close();
    const third = await listenAs(buyer);
    await expect.poll(() => hasOpenStream(app.db, buyer.id)).toBe(true);
    expect(await hasOpenStream(app.db, seller.id)).toBe(true);
    await other.close();
    await expect.poll(() => hasOpenStream(app.db, seller.id)).toBe(false);
    await third.close();
  });

  test('does not suppress it after an hour: nobody looks at that page', async () => {
    const stream = await listenAs(seller);
    await expect.poll(() => hasOpenStream(app.db, seller.id)).toBe(true);
    await send();
    await letPass(3500);
    expect(await listReceived()).toEqual([]);
    const [job] = await listQueuedJobs(app.db, { name: 'remind-of-messages', limit: 1000 });
    expect(new Date(job!.run_at).valueOf() - Date.now()).toBeLessThanOrEqual(100_000);
    await letPass(100);
    expect(await listReceived()).toMatchObject([{ kind: 'message' }]);
    await letPass(3600);
    expect(await listReceived()).toHaveLength(1);
    await stream.close();
  });
});

describe('presence', () => {
  const openPresence = (beatMs?: number) => createPresence(app.db, app.log, beatMs);

  test('ends when the process closes, and for another process it stays', async () => {
    const [one, other] = [openPresence(), openPresence()];
    for (const presence of [one, other]) presence.enter(seller.id);
    one.enter(buyer.id);
    await expect.poll(() => app.db('open_streams').where({ user_id: seller.id })).toHaveLength(2);
    await expect.poll(() => hasOpenStream(app.db, buyer.id)).toBe(true);
    await one.close();
    expect([await hasOpenStream(app.db, seller.id), await hasOpenStream(app.db, buyer.id)]).toEqual([true, false]);
    await other.close();
    expect(await hasOpenStream(app.db, seller.id)).toBe(false);
  });

  test('ends 45 seconds after the last heartbeat of a killed process, whose rows another one deletes', async () => {
    const dead = randomUUID();
    const seen = (seconds: number) => app.db.raw("now() - ? * interval '1 second'", [seconds]);
    await app.db('stream_servers').insert({ id: dead, seen_at: seen(40) });
    await app.db('open_streams').insert({ server_id: dead, user_id: seller.id });
    expect(await hasOpenStream(app.db, seller.id)).toBe(true);
    await app
      .db('stream_servers')
      .where({ id: dead })
      .update({ seen_at: seen(46) });
    expect(await hasOpenStream(app.db, seller.id)).toBe(false);
    const presence = openPresence(50);
    presence.enter(buyer.id);
    await expect.poll(() => app.db('open_streams').where({ server_id: dead })).toEqual([]);
    expect(await hasOpenStream(app.db, buyer.id)).toBe(true);
    await presence.close();
  });

  test('is entered again after a crash of the database emptied the tables', async () => {
    const presence = openPresence(50);
    presence.enter(seller.id);
    presence.enter(buyer.id);
    await expect.poll(() => hasOpenStream(app.db, seller.id)).toBe(true);
    await app.db.raw('truncate stream_servers, open_streams');
    await expect.poll(() => hasOpenStream(app.db, seller.id)).toBe(true);
    await expect.poll(() => hasOpenStream(app.db, buyer.id)).toBe(true);
    await presence.close();
  });

  test('follows quick changes to their last state', async () => {
    const presence = openPresence();
    for (let n = 0; n < 50; n++) {
      presence.enter(seller.id);
      presence.leave(seller.id);
      presence.enter(buyer.id);
      if (n % 7 === 0) await new Promise(setImmediate);
    }
    await expect.poll(() => hasOpenStream(app.db, buyer.id)).toBe(true);
    expect(await hasOpenStream(app.db, seller.id)).toBe(false);
    await presence.close();
  });
});

test('two reads at once of the last unread messages end the silence', async () => {
  for (let round = 0; round < 5; round++) {
    const ids = await Promise.all([send(`One ${round}`), send(`Two ${round}`)]);
    await letPass(121);
    expect((await listReceived()).filter(({ isRead }) => !isRead)).toHaveLength(1);
    await Promise.all(ids.map((id) => read(id)));
    expect((await listReceived()).filter(({ isRead }) => !isRead)).toEqual([]);
    expect(await listReminders()).toEqual([]);
  }
});

test('a message beside the read of another keeps its reminder', async () => {
  for (let round = 0; round < 8; round++) {
    const id = await send(`First ${round}`);
    await letPass(121);
    const [, next] = await Promise.all([read(id), send(`Second ${round}`)]);
    expect(await listReminders()).toHaveLength(1);
    await letPass(121);
    expect((await listReceived()).filter(({ isRead }) => !isRead)).toHaveLength(1);
    await read(next);
  }
});

test('after a restore the waiting reminders run again', async () => {
  await send();
  await app.db.raw('select graphile_worker.complete_jobs(?::bigint[])', [await listJobs()]);
  await inTransaction(app.db, (trx) => resumeReminders(trx));
  expect(await listJobs()).not.toEqual([]);
  await letPass(121);
  expect(await listReceived()).toHaveLength(1);
});

test('a reminder whose job is lost ends after five days', async () => {
  await send();
  await app.db('message_reminders').update({ created_at: app.db.raw("now() - interval '6 days'") });
  await cleanUp(app);
  expect(await listReminders()).toEqual([]);
});
