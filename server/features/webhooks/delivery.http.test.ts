import { Webhook } from 'standardwebhooks';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import * as api from '../../../contract/webhooks.ts';
import { openTestApp, type Person } from '../../../test/harness/app.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../../test/harness/webhook-receiver.ts';
import { addWebhook, sendDue, WEBHOOK_ENV } from '../../../test/harness/webhooks.ts';
import { inTransaction } from '../../db/transaction.ts';
import { jobHandlers } from '../../job-handlers.ts';
import { endRestoredDeliveries } from './deliveries-repository.ts';
import { insertWebhookEvents } from './events-repository.ts';

const database = await createTestDatabase();
const { app, createPerson } = await openTestApp({ env: { ...WEBHOOK_ENV, LOCALES: 'en,de' }, database });
const { app: replica } = await openTestApp({ env: WEBHOOK_ENV, database: { ...database, drop: async () => {} } });
const receivers: WebhookReceiver[] = [];
const startReceiver = async () => {
  const receiver = await startWebhookReceiver();
  receivers.push(receiver);
  return receiver;
};
afterAll(() => Promise.all(receivers.map((receiver) => receiver.close())));

beforeEach(async () => {
  await app.db.raw('delete from graphile_worker._private_jobs; delete from webhooks');
});

const happenTo = (userId: string) =>
  inTransaction(app.db, (trx) =>
    insertWebhookEvents(trx, [
      { type: 'message.received', userId, data: { messageId: '7', adId: '8', personId: '9' } },
    ]),
  );

/** A person whose webhook a receiver of its own hears. */
const connect = async (format?: api.WebhookFormat) => {
  const [person, receiver] = [await createPerson(), await startReceiver()];
  const webhook = await addWebhook(person.client, receiver.url, ['message.received'], format && { format });
  const happen = () => happenTo(person.id);
  const log = async () => (await person.client.ok(api.listWebhookDeliveries, params)) as api.WebhookDelivery[];
  const params = { params: { id: webhook.id } };
  return { person, receiver, webhook, happen, log, params };
};
const read = async ({ client }: Person) => (await client.ok(api.listWebhooks))[0]!;
const makeDue = () =>
  app.db.raw(
    'update webhook_deliveries set next_at = now() where next_at is not null; update webhooks set held_until = null',
  );

describe('a delivery', () => {
  test('is signed, also in the eyes of another implementation, and is logged', async () => {
    const { receiver, webhook, happen, log } = await connect();
    await happen();
    await sendDue(app);
    const [{ headers, body }] = receiver.received as unknown as [{ headers: Record<string, string>; body: string }];
    expect(receiver.received).toHaveLength(1);
    expect(new Webhook(webhook.secret).verify(body, headers)).toEqual({
      type: 'message.received',
      timestamp: expect.any(String),
      data: { messageId: '7', adId: '8', personId: '9', url: `${app.config.publicUrl}/messages/8/9` },
    });
    expect(headers['content-type']).toBe('application/json');
    expect(await log()).toEqual([
      expect.objectContaining({
        messageId: headers['webhook-id'],
        type: 'message.received',
        status: 'delivered',
        attempts: 1,
        responseStatus: 204,
        error: null,
        nextAttemptAt: null,
      }),
    ]);
  });

  test('is tried again after a failure, with the same id and body; a success ends that', async () => {
    const { person, receiver, happen, log } = await connect();
    receiver.respond = (res) => void res.writeHead(500).end('Internal details');
    await happen();
    await sendDue(app);
    const [first] = await log();
    expect(first).toMatchObject({ status: 'waiting', attempts: 1, responseStatus: 500, error: 'responded 500' });
    const wait = Date.parse(first!.nextAttemptAt!) - Date.parse(first!.lastAttemptAt!);
    expect([wait > 4900, wait < 20_000]).toEqual([true, true]);
    expect((await read(person)).failingSince).not.toBeNull();
    receiver.respond = (res) => void res.writeHead(200).end();
    await makeDue();
    await sendDue(app);
    expect(await log()).toMatchObject([{ status: 'delivered', attempts: 2, responseStatus: 200 }]);
    expect((await read(person)).failingSince).toBeNull();
    const [one, two] = receiver.received;
    expect([two!.body, two!.headers['webhook-id']]).toEqual([one!.body, one!.headers['webhook-id']]);
  });

  test('fails after ten attempts, and can be sent again', async () => {
    const { person, receiver, happen, log, params } = await connect();
    receiver.respond = (res) => void res.writeHead(404).end();
    await happen();
    for (let n = 0; n < 12; n++) {
      await makeDue();
      await sendDue(app);
    }
    expect(receiver.received).toHaveLength(10);
    const [failed] = await log();
    expect(failed).toMatchObject({ status: 'failed', attempts: 10, nextAttemptAt: null });
    receiver.respond = (res) => void res.writeHead(204).end();
    const again = { params: { ...params.params, deliveryId: failed!.id } };
    expect(await person.client.ok(api.resendWebhookDelivery, again)).toMatchObject({ status: 'waiting', attempts: 0 });
    await sendDue(app);
    expect(await log()).toMatchObject([{ id: failed!.id, status: 'delivered', attempts: 1 }]);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  test('follows no redirect', async () => {
    const [target, { receiver, happen, log }] = [await startReceiver(), await connect()];
    receiver.respond = (res) => void res.writeHead(302, { location: target.url }).end();
    await happen();
    await sendDue(app);
    expect(await log()).toMatchObject([{ status: 'waiting', error: 'responded 302: redirects are not followed' }]);
    expect(target.received).toEqual([]);
  });

  test('reads nothing of an endless response', async () => {
    const { receiver, happen, log } = await connect();
    receiver.respond = (res) => {
      res.writeHead(200);
      const fill = () => {
        if (res.destroyed) return;
        res.write('x'.repeat(65_536));
        setTimeout(fill, 1);
      };
      fill();
    };
    await happen();
    await sendDue(app);
    expect(await log()).toMatchObject([{ status: 'delivered' }]);
  });

  test('waits as Retry-After asks, and so does every other one of the webhook', async () => {
    const { receiver, happen, log } = await connect();
    receiver.respond = (res) => void res.writeHead(429, { 'retry-after': '3600' }).end();
    await happen();
    await sendDue(app);
    const [held] = await log();
    expect(Date.parse(held!.nextAttemptAt!) - Date.parse(held!.lastAttemptAt!)).toBeGreaterThan(3_590_000);
    await happen();
    await sendDue(app);
    expect(receiver.received).toHaveLength(1);
    await app.db.raw("update webhooks set held_until = now() - interval '1 second'");
    await sendDue(app);
    expect(receiver.received).toHaveLength(2);
  });

  test('is not sent to an address that leads into the network of the server', async () => {
    const { person, receiver, happen, log, params } = await connect();
    await app.db('webhooks').update({ url: 'https://192.168.1.1/hook' });
    await happen();
    await sendDue(app);
    expect(await log()).toMatchObject([{ status: 'waiting', error: '192.168.1.1 is not on the public internet' }]);
    const headers = { 'Accept-Language': 'de' };
    const inGerman = { error: '192.168.1.1 ist nicht im öffentlichen Internet' };
    expect(await person.client.ok(api.listWebhookDeliveries, { ...params, headers })).toMatchObject([inGerman]);
    expect(await person.client.ok(api.testWebhook, { ...params, headers })).toMatchObject(inGerman);
    // a row of before
    await app.db('webhook_deliveries').update({ error_phrase: null as never });
    expect(await person.client.ok(api.listWebhookDeliveries, { ...params, headers })).toMatchObject([
      { error: '192.168.1.1 is not on the public internet' },
    ]);
    expect(receiver.received).toEqual([]);
  });

  test('says what to do when the key of its secret is gone', async () => {
    const { receiver, happen, log } = await connect();
    await app.db('webhooks').update({ key_id: 'gone' });
    await happen();
    await sendDue(app);
    expect(await log()).toMatchObject([{ status: 'waiting', error: expect.stringContaining('Make a new secret') }]);
    expect(receiver.received).toEqual([]);
  });

  test('goes out once, however many send at the same time', async () => {
    const { receiver, happen } = await connect();
    for (let n = 0; n < 30; n++) await happen();
    await Promise.all([sendDue(app), sendDue(replica), sendDue(app), sendDue(replica)]);
    expect(receiver.received).toHaveLength(30);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(30);
  });
});

describe('formats', () => {
  test('Discord gets a sentence that mentions and formats nothing', async () => {
    const { receiver, happen } = await connect('discord');
    await happen();
    await sendDue(app);
    expect(JSON.parse(receiver.received[0]!.body)).toEqual({
      content: `New message about ad 8\n${app.config.publicUrl}/messages/8/9`,
      allowed_mentions: { parse: [] },
    });
  });

  test('ntfy gets text, and where it leads', async () => {
    const { receiver, happen } = await connect('ntfy');
    await happen();
    await sendDue(app);
    const [{ body, headers }] = receiver.received as unknown as [{ body: string; headers: Record<string, string> }];
    expect([body, headers.click]).toEqual(['New message about ad 8', `${app.config.publicUrl}/messages/8/9`]);
  });

  test('a sentence is in the language of the person whose webhook it is', async () => {
    const { person, receiver, happen, params } = await connect('ntfy');
    await app.db('users').where({ id: person.id }).update({ language: 'de' });
    await happen();
    await sendDue(app);
    await person.client.ok(api.testWebhook, params);
    expect(receiver.received.map(({ body }) => body)).toEqual([
      'Neue Nachricht zu Anzeige 8',
      'Test eines Webhooks: Es ist nichts passiert.',
    ]);
  });
});

describe('a webhook', () => {
  const notices = (id: string) => app.db('notifications').where({ user_id: id, kind: 'notice' }).select('title', 'url');

  test('that answers 410 is switched off, and its person is told', async () => {
    const { person, receiver, happen, log } = await connect();
    receiver.respond = (res) => void res.writeHead(410).end();
    await happen();
    await sendDue(app);
    expect(await read(person)).toMatchObject({ isOn: false, offReason: 'gone' });
    expect(await log()).toMatchObject([{ status: 'failed', responseStatus: 410 }]);
    expect(await notices(person.id)).toEqual([{ title: 'A webhook was switched off', url: '/preferences#webhooks' }]);
    await happen();
    expect(await log()).toHaveLength(1);
  });

  test('of the marketplace that is switched off concerns all administrators', async () => {
    const [admin, other, receiver] = [
      await createPerson({ role: 'admin' }),
      await createPerson({ role: 'admin' }),
      await startReceiver(),
    ];
    receiver.respond = (res) => void res.writeHead(410).end();
    await addWebhook(admin.client, receiver.url, ['user.banned'], { of: 'site' });
    await inTransaction(app.db, (trx) =>
      insertWebhookEvents(trx, [{ type: 'user.banned', userId: null, toSite: true, data: { userId: '7' } }]),
    );
    await sendDue(app);
    for (const { id } of [admin, other])
      expect(await notices(id)).toEqual([{ title: 'A webhook was switched off', url: '/admin?tab=webhooks' }]);
  });

  test('of a backup that is restored gets nothing that waited then', async () => {
    const { receiver, happen, log } = await connect();
    await happen();
    await inTransaction(app.db, endRestoredDeliveries);
    await sendDue(app);
    expect([receiver.received, await log()]).toMatchObject([
      [],
      [{ status: 'failed', error: 'restored from a backup' }],
    ]);
  });

  test('that fails for five days is switched off, and what waits ends; on again, it hears what is new', async () => {
    const { person, receiver, happen, log, params } = await connect();
    receiver.respond = (res) => void res.writeHead(500).end();
    await happen();
    await happen();
    await sendDue(app);
    await app.db.raw("update webhooks set failing_since = now() - interval '4 days 23 hours'");
    await makeDue();
    await sendDue(app);
    expect((await read(person)).isOn).toBe(true);
    await app.db.raw("update webhooks set failing_since = now() - interval '5 days 1 hour'");
    await makeDue();
    await sendDue(app);
    expect(await read(person)).toMatchObject({ isOn: false, offReason: 'failing' });
    expect((await log()).map(({ status }) => status)).toEqual(['failed', 'failed']);
    expect(await notices(person.id)).toHaveLength(1);
    const again = { params: { ...params.params, deliveryId: (await log())[0]!.id } };
    expect((await person.client.call(api.resendWebhookDelivery, again)).status).toBe(409);
    receiver.respond = (res) => void res.writeHead(204).end();
    expect(await person.client.ok(api.updateWebhook, { ...params, body: { isOn: true } })).toMatchObject({
      isOn: true,
      offReason: null,
      failingSince: null,
    });
    await happen();
    await sendDue(app);
    expect((await log()).map(({ status }) => status)).toEqual(['delivered', 'failed', 'failed']);
  });

  test('that is switched off or removed while a request runs hears no more', async () => {
    const { person, receiver, happen, log, params } = await connect();
    receiver.respond = async (res) => {
      await person.client.ok(api.updateWebhook, { ...params, body: { isOn: false } });
      res.writeHead(500).end();
    };
    await happen();
    await sendDue(app);
    expect(await log()).toMatchObject([{ status: 'failed', error: 'switched off', nextAttemptAt: null }]);
    receiver.respond = async (res) => {
      await person.client.ok(api.deleteWebhook, params);
      res.writeHead(204).end();
    };
    await person.client.ok(api.updateWebhook, { ...params, body: { isOn: true } });
    await happen();
    await sendDue(app);
    expect(await app.db('webhook_deliveries')).toEqual([]);
  });

  test('has two secrets for a day after a change', async () => {
    const { person, receiver, webhook, happen, params } = await connect();
    const changed = await person.client.ok(api.changeWebhookSecret, params);
    expect(changed.secret).not.toBe(webhook.secret);
    expect(Date.parse(changed.formerSecretUntil!) - Date.now()).toBeGreaterThan(23 * 3_600_000);
    const verify = (secret: string) => {
      const { body, headers } = receiver.received.at(-1)!;
      return () => new Webhook(secret).verify(body, headers as Record<string, string>);
    };
    await happen();
    await sendDue(app);
    for (const { secret } of [webhook, changed]) expect(verify(secret)).not.toThrow();
    await app.db.raw("update webhooks set former_until = now() - interval '1 second'");
    await happen();
    await sendDue(app);
    expect(verify(changed.secret)).not.toThrow();
    expect(verify(webhook.secret)).toThrow();
  });

  test('is tested at once, without a trace in the log', async () => {
    const { person, receiver, webhook, log, params } = await connect();
    expect(await person.client.ok(api.testWebhook, params)).toMatchObject({ isDelivered: true, responseStatus: 204 });
    const { body, headers } = receiver.received[0]!;
    expect(new Webhook(webhook.secret).verify(body, headers as Record<string, string>)).toMatchObject({
      type: 'webhook.test',
    });
    receiver.respond = (res) => void res.writeHead(301).end();
    expect(await person.client.ok(api.testWebhook, params)).toMatchObject({
      isDelivered: false,
      responseStatus: 301,
      error: expect.stringContaining('redirects'),
    });
    expect(await log()).toEqual([]);
  });
});

describe('what is stored', () => {
  test('secrets are stored encrypted, each for its row', async () => {
    const { person, webhook, happen, log } = await connect();
    const second = await addWebhook(person.client, webhook.url, ['ad.sold']);
    const rows = await app.db('webhooks').select('id', 'secret', app.db.raw('webhooks::text as text'));
    for (const { secret, text } of rows)
      for (const known of [webhook.secret, second.secret])
        expect([secret.toString('latin1').includes(known.slice(6)), text.includes(known)]).toEqual([false, false]);
    const copied = rows.find(({ id }) => id === second.id).secret;
    await app.db('webhooks').where({ id: webhook.id }).update({ secret: copied });
    await happen();
    await sendDue(app);
    expect((await log())[0]!.error).toContain('cannot be read');
  });

  test('the log reaches back thirty days', async () => {
    const { happen, log } = await connect();
    await happen();
    await happen();
    const [young] = await log();
    await app.db.raw("update webhook_deliveries set created_at = now() - interval '31 days' where id <> ?", [
      young!.id,
    ]);
    await jobHandlers['clean-up'](app, {}, { attempt: 1, maxAttempts: 1, signal: new AbortController().signal });
    expect((await log()).map(({ id }) => id)).toEqual([young!.id]);
  });
});
