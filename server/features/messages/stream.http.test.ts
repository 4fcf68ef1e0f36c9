import { beforeAll, describe, expect, test } from 'vitest';
import { banUser } from '../../../contract/admin.ts';
import { createAd } from '../../../contract/ads.ts';
import { logout } from '../../../contract/auth.ts';
import { reserveAd } from '../../../contract/deals.ts';
import { LIMITS } from '../../../contract/limits.ts';
import {
  markConversationRead,
  markMessageRead,
  sendMessage,
  streamMessages,
  type ThreadMessage,
} from '../../../contract/messages.ts';
import { openTestApp, type Person } from '../../../test/harness/app.ts';
import { openEventSource } from '../../../test/harness/event-source.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';

const { app, url, lifecycle, anonymous, signIn, createPerson } = await openTestApp();

beforeAll(() => insertCategories(app));

const listen = ({ client }: Pick<Person, 'client'>) => openEventSource(url + streamMessages.path, client.headers);
const meet = async () => {
  const [seller, buyer] = [await createPerson(), await createPerson()];
  return { seller, buyer, ad: await seller.client.ok(createAd, { body: adBody() }) };
};
const send = (from: Person, adId: string, to: Person) =>
  from.client.ok(sendMessage, { body: { adId, receiverId: to.id, content: 'Hello' } });

describe('a stream', () => {
  test('begins with its state and the unread count, and says what no proxy may do to it', async () => {
    const { seller, buyer, ad } = await meet();
    await send(buyer, ad.id, seller);
    const stream = await listen(seller);
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(stream.headers.get('x-accel-buffering')).toBe('no');
    expect(stream.headers.get('content-encoding')).toBeNull();
    await expect.poll(() => stream.of('live').at(-1)).toMatchObject({ isLive: true });
    await expect.poll(() => stream.of('unread').at(-1)).toEqual({ unreadCount: 1 });
    await stream.close();
  });

  test('notifies the receiver and the sender of a message, and no one else', async () => {
    const { seller, buyer, ad } = await meet();
    const stranger = await createPerson();
    const streams = await Promise.all([seller, buyer, stranger].map(listen));
    const [ofSeller, ofBuyer, ofStranger] = streams;
    await expect.poll(() => streams.every((stream) => stream.of('unread').length > 0)).toBe(true);
    const { ad: _ad, sender: _sender, receiver: _receiver, ...told } = await send(buyer, ad.id, seller);
    expect(told.content).toBe('Hello');
    await expect.poll(() => ofSeller?.of('message')).toEqual([told]);
    await expect.poll(() => ofSeller?.of('unread').at(-1)).toEqual({ unreadCount: 1 });
    await expect.poll(() => ofBuyer?.of('message')).toEqual([told]);
    // what comes to them later came to them first
    await send(stranger, ad.id, seller);
    await expect.poll(() => ofStranger?.of('message')).toHaveLength(1);
    expect(ofStranger?.of('message')).toMatchObject([{ senderId: stranger.id }]);
    expect(JSON.stringify(ofStranger?.events)).not.toContain(buyer.id);
    await Promise.all(streams.map((stream) => stream.close()));
  });

  test('warns the receiver of a message, and not its sender', async () => {
    const { seller, buyer, ad } = await meet();
    const [ofSeller, ofBuyer] = [await listen(seller), await listen(buyer)];
    const content = 'Write me: me@mail.example';
    await buyer.client.ok(sendMessage, { body: { adId: ad.id, receiverId: seller.id, content } });
    await expect.poll(() => ofSeller.of('message')).toMatchObject([{ content, warning: true }]);
    await expect.poll(() => ofBuyer.of('message')).toHaveLength(1);
    expect(ofBuyer.of('message')[0]).not.toHaveProperty('warning');
    await Promise.all([ofSeller.close(), ofBuyer.close()]);
  });

  test('tells both of a reservation, by the names of their conversation alone', async () => {
    const { seller, buyer, ad } = await meet();
    await send(buyer, ad.id, seller);
    const [ofSeller, ofBuyer] = [await listen(seller), await listen(buyer)];
    await seller.client.ok(reserveAd, { params: { id: ad.id }, body: { userId: buyer.id } });
    await expect.poll(() => ofSeller.of('conversation')).toEqual([{ adId: ad.id, otherUserId: buyer.id }]);
    await expect.poll(() => ofBuyer.of('conversation')).toEqual([{ adId: ad.id, otherUserId: seller.id }]);
    await Promise.all([ofSeller.close(), ofBuyer.close()]);
  });

  test('begins with what came in the seconds before, and says how many', async () => {
    const { seller, buyer, ad } = await meet();
    const first = await listen(seller);
    await expect.poll(() => first.of('live').at(-1)).toMatchObject({ isLive: true });
    const { id } = await send(buyer, ad.id, seller);
    await expect.poll(() => first.of('message')).toHaveLength(1);
    // the process has listened for two seconds
    await expect
      .poll(
        async () => {
          const late = await listen(seller);
          await expect.poll(() => late.of('unread')).toHaveLength(1);
          await late.close();
          const [{ caughtUpMs }] = late.of('live') as [{ caughtUpMs: number }];
          return caughtUpMs > 0 ? late.of('message') : 'too early';
        },
        { timeout: 8000 },
      )
      .toMatchObject([{ id }]);
    await first.close();
  });

  test('tells a person’s other windows that they have read a message, once', async () => {
    const { seller, buyer, ad } = await meet();
    const { id } = await send(buyer, ad.id, seller);
    const stream = await listen(seller);
    await expect.poll(() => stream.of('unread').at(-1)).toEqual({ unreadCount: 1 });
    await seller.client.ok(markMessageRead, { params: { id } });
    await expect.poll(() => stream.of('unread').at(-1)).toEqual({ unreadCount: 0 });
    const told = stream.of('unread').length;
    await seller.client.ok(markMessageRead, { params: { id } });
    await send(buyer, ad.id, seller);
    await expect.poll(() => stream.of('unread').slice(told)).toEqual([{ unreadCount: 1 }]);
    await stream.close();
  });

  test.each(['one by one', 'by one call'])('tells the sender what was read %s', async (way) => {
    const { seller, buyer, ad } = await meet();
    const stream = await listen(buyer);
    const messages = () => stream.of('message') as ThreadMessage[];
    await send(buyer, ad.id, seller);
    const { id } = await send(buyer, ad.id, seller);
    const later = await send(buyer, ad.id, seller);
    // a late event says what was read in the meantime
    await expect.poll(() => messages().map((message) => message.id)).toContain(later.id);
    const params = { adId: ad.id, otherUserId: buyer.id };
    await (way === 'by one call'
      ? seller.client.call(markConversationRead, { params, body: { upTo: id } })
      : seller.client.ok(markMessageRead, { params: { id } }));
    const told = () => messages().filter(({ isRead }) => isRead);
    await expect.poll(() => told().map((message) => message.id)).toEqual([id]);
    expect(messages().some((message) => message.id === later.id && message.isRead)).toBe(false);
    await stream.close();
  });

  test('is heard of by HEAD without being opened', async () => {
    const { client } = await createPerson();
    const answer = await client.send(streamMessages.path, { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  });
});

describe('it ends', () => {
  test.each<[string, (person: Person) => Promise<unknown>]>([
    [
      'with a ban',
      async ({ id }) => {
        const admin = await insertUser(app, { role: 'admin' });
        const { client } = { client: await signIn(admin.id) };
        await client.ok(banUser, { params: { id }, body: { reason: 'Spam' } });
      },
    ],
    ['with the sign-out', ({ client }) => client.ok(logout)],
    ['when the session is ended elsewhere', ({ id }) => app.db('sessions').where({ user_id: id }).delete()],
  ])('%s, at once', async (_, endSession) => {
    const [person, other] = [await createPerson(), await createPerson()];
    const [stream, spared] = [await listen(person), await listen(other)];
    await expect.poll(() => stream.of('unread')).toHaveLength(1);
    await endSession(person);
    await stream.ended;
    expect((await listen(person)).status).toBe(401);
    expect(spared.isOpen()).toBe(true);
    await spared.close();
  });

  test('without a check of the streams of other people', async () => {
    const [person, other] = [await createPerson(), await createPerson()];
    const [stream, spared] = [await listen(person), await listen(other)];
    await expect.poll(() => [stream, spared].map((one) => one.of('unread').length)).toEqual([1, 1]);
    const hashes = await app.db('sessions').whereIn('user_id', [person.id, other.id]).pluck<Buffer[]>('sid_hash');
    const together: unknown[] = [];
    const onQuery = ({ sql, bindings }: { sql: string; bindings: unknown[] }) => {
      const text = JSON.stringify(bindings);
      if (hashes.every((hash) => text.includes(JSON.stringify(hash)))) together.push(sql);
    };
    app.db.on('query', onQuery);
    await app.db('sessions').where({ user_id: person.id }).delete();
    await stream.ended;
    app.db.removeListener('query', onQuery);
    // A beat checks both too, but in different seconds.
    expect(together).toEqual([]);
    await spared.close();
  });

  test('when the session has run out, by the next beat', async () => {
    const person = await createPerson();
    const stream = await listen(person);
    await app.db('sessions').where({ user_id: person.id }).update({ expires_at: app.db.fn.now() });
    await stream.ended;
  });

  test('when the process stops, which takes no new one', async () => {
    const person = await createPerson();
    lifecycle.phase = 'draining';
    const refused = await listen(person).finally(() => {
      lifecycle.phase = 'ready';
    });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await refused.text()).toContain('shutting_down');
  });
});

describe('it is refused', () => {
  test('to a visitor who is not signed in', async () => {
    expect((await listen({ client: anonymous })).status).toBe(401);
  });

  test('to a person who holds too many, until one is closed', async () => {
    const person = await createPerson();
    const streams = await Promise.all(Array.from({ length: LIMITS.streamsPerUser }, () => listen(person)));
    const refused = await listen(person);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    expect(await refused.text()).toContain('rate_limited');
    await streams[0]?.close();
    await expect.poll(async () => (await person.client.send(streamMessages.path)).status).toBe(200);
    await Promise.all(streams.map((stream) => stream.close()));
  });
});

test('when LISTEN is cut, clients learn of it, and again when it is back, with what came meanwhile', async () => {
  const { seller, buyer, ad } = await meet();
  const stream = await listen(seller);
  await expect.poll(() => stream.of('unread')).toHaveLength(1);
  await app.db.raw(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tradepost listen' and datname = current_database()",
  );
  await expect.poll(() => stream.of('live')).toContainEqual({ isLive: false });
  await send(buyer, ad.id, seller);
  await expect.poll(() => stream.of('live').at(-1)).toEqual({ isLive: true });
  await expect.poll(() => stream.of('unread').at(-1)).toEqual({ unreadCount: 1 });
  await send(buyer, ad.id, seller);
  await expect.poll(() => stream.of('unread').at(-1)).toEqual({ unreadCount: 2 });
  await stream.close();
});

test('streams are a gauge of their own and no slow requests', async () => {
  const { client } = await createPerson();
  const read = async (name: string, labels = {}) => {
    const values = (await app.metrics.registry.getSingleMetric(name)?.get())?.values ?? [];
    return values.find((one) => Object.entries(labels).every(([key, value]) => one.labels[key] === value))?.value ?? 0;
  };
  const answered = () =>
    read('tradepost_http_requests_total', { method: 'GET', route: streamMessages.path, status: 200 });
  await expect.poll(() => read('tradepost_event_streams_open')).toBe(0);
  const before = await answered();
  const stream = await listen({ client });
  expect(await read('tradepost_event_streams_open')).toBe(1);
  expect(await answered()).toBe(before + 1);
  await stream.close();
  await expect.poll(() => read('tradepost_event_streams_open')).toBe(0);
  await expect.poll(() => read('tradepost_http_in_flight')).toBe(0);
  expect(await answered()).toBe(before + 1);
});
