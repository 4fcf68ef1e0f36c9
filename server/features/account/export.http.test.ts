import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test, vi } from 'vitest';
import { createAd } from '../../../contract/ads.ts';
import { exportMyData } from '../../../contract/users.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { operator } from '../../policy.ts';
import { exportUser } from './export.ts';

const { app, url, signIn } = await openTestApp();
const OPERATOR = operator('test');

beforeAll(() => insertCategories(app));

/** A user with so many messages, each of 2,000 characters. */
async function insertWriter(messages: number) {
  const [writer, reader] = [await insertUser(app), await insertUser(app)];
  const client = await signIn(reader.id);
  const ad = await client.ok(createAd, { body: adBody() });
  const [{ id }] = await app
    .db('conversations')
    .insert({ ad_id: ad.id, seller_id: reader.id, buyer_id: writer.id })
    .returning('id');
  for (let first = 1; first <= messages; first += 1000)
    await app.db.raw(
      `insert into messages (conversation_id, ad_id, sender_id, receiver_id, content)
       select ?, ?, ?, ?, rpad('message ' || n, 2000, 'x') from generate_series(?::int, ?::int) n`,
      [id, ad.id, writer.id, reader.id, first, Math.min(messages, first + 999)],
    );
  return writer;
}

const countSnapshots = async () =>
  Number(
    (
      await app
        .db('pg_stat_activity')
        .whereRaw('datname = current_database()')
        .where({ application_name: 'tradepost export' })
        .count()
    )[0]!.count,
  );

test('an export is complete and in order, however many messages there are', async () => {
  const writer = await insertWriter(2500);
  const { body } = await (await signIn(writer.id)).call(exportMyData);
  const messages = body.messages as { content: string }[];
  expect(messages.map(({ content }) => content.split('x')[0])).toEqual(
    Array.from({ length: 2500 }, (_, i) => `message ${i + 1}`),
  );
  expect(Object.keys(body)).toEqual([
    'exportedAt',
    'site',
    'profile',
    'xAccount',
    'ads',
    'importedAds',
    'importChoices',
    'imports',
    'importRows',
    'photos',
    'formerPrices',
    'viewsByDay',
    'favorites',
    'messages',
    'offers',
    'reservations',
    'deals',
    'ratings',
    'blocks',
    'follows',
    'savedSearches',
    'sessions',
    'xPosts',
    'contactMessages',
    'reports',
    'decisions',
    'notifications',
    'emailAddresses',
    'notificationSettings',
    'passkeys',
    'accessTokens',
    'recoveryCodes',
    'pushSubscriptions',
    'webhooks',
    'webhookDeliveries',
    'administration',
  ]);
  await expect.poll(countSnapshots).toBe(0);
});

test('indented, it is what JSON.stringify would print', async () => {
  const writer = await insertWriter(2);
  const printed = await text(await exportUser(app, OPERATOR, writer.id, 2));
  expect(printed).toBe(JSON.stringify(JSON.parse(printed), null, 2));
});

test('rows are read as the reader takes them', async () => {
  const writer = await insertWriter(8000);
  const document = await exportUser(app, OPERATOR, writer.id);
  let size = 0;
  let peak = 0;
  for await (const chunk of document) {
    size += chunk.length;
    peak = Math.max(peak, chunk.length + document.readableLength);
  }
  expect(size).toBeGreaterThan(16_000_000);
  expect(peak).toBeLessThan(1_000_000);
  const slow = await exportUser(app, OPERATOR, writer.id);
  slow.read(1);
  await sleep(200);
  expect(slow.readableLength).toBeLessThan(1_000_000);
  slow.destroy();
  await expect.poll(countSnapshots).toBe(0);
});

test('one export of a person and two in all run at a time', async () => {
  const people = [await insertWriter(1), await insertWriter(1), await insertWriter(1)];
  const actors = people.map(({ id }) => ({ kind: 'user' as const, id, role: 'user' as const }));
  const open = [await exportUser(app, actors[0]!, people[0]!.id), await exportUser(app, actors[1]!, people[1]!.id)];
  const call = async (i: number) => (await (await signIn(people[i]!.id)).call(exportMyData)).body.code;
  expect(await call(0)).toBe('rate_limited');
  expect(await call(2)).toBe('overloaded');
  // neither opens a connection of its own
  const unconnected = { ...app, config: { ...app.config, databaseDirectUrl: 'postgres://127.0.0.1:1/none' } };
  const start = (i: number) => exportUser(unconnected, actors[i]!, people[i]!.id);
  await expect(start(0)).rejects.toMatchObject({ code: 'rate_limited' });
  await expect(start(2)).rejects.toMatchObject({ code: 'overloaded' });
  for (const document of open) document.destroy();
  await expect.poll(() => call(2)).toBeUndefined();
});

test('of exports that begin at once, no more than two run, and one of a person', async () => {
  const people = [await insertWriter(1), await insertWriter(1), await insertWriter(1)];
  const begin = ({ id }: { id: string }) =>
    exportUser(app, { kind: 'user', id, role: 'user' }, id).then(
      (document) => ({ id, document }),
      (error) => error.code as string,
    );
  const results = await Promise.all([...people, ...people].map(begin));
  const open = results.filter((result) => typeof result !== 'string');
  expect([1, 2]).toContain(open.length);
  expect(new Set(open.map(({ id }) => id)).size).toBe(open.length);
  const refusals = results.filter((result) => typeof result === 'string');
  for (const code of refusals) expect(['rate_limited', 'overloaded']).toContain(code);
  for (const { document } of open) document.destroy();
  await expect.poll(countSnapshots).toBe(0);
});

test('a database that fails midway leaves no valid document', async () => {
  const writer = await insertWriter(8000);
  const client = await signIn(writer.id);
  const response = await fetch(`${url}/api/users/me/export`, { headers: client.headers });
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let received = decoder.decode((await reader.read()).value, { stream: true });
  await app.db.raw(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tradepost export'",
  );
  const rest = async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      received += decoder.decode(value, { stream: true });
    }
  };
  await expect(rest()).rejects.toThrow();
  expect(() => JSON.parse(received)).toThrow();
  await vi.waitFor(async () => expect(await countSnapshots()).toBe(0));
});
