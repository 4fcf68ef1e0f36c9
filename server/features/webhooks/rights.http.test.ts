import { describe, expect, test } from 'vitest';
import * as api from '../../../contract/webhooks.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { addWebhook, WEBHOOK_ENV } from '../../../test/harness/webhooks.ts';

const { app, createPerson } = await openTestApp({ env: WEBHOOK_ENV });
const { createPerson: createWithoutKey } = await openTestApp();

describe('rights and limits', () => {
  test('an address must be public, https and of one line; events must exist and be of this owner', async () => {
    const { client } = await createPerson();
    const add = async (url: unknown, events: unknown = ['ad.sold']) =>
      (await client.call(api.createWebhook, { body: { url, events } as never })).body.fields;
    for (const url of [
      '',
      'ftp://example.com',
      'http://example.com/a',
      'https://user:word@example.com/a',
      'https://10.0.0.1/a',
      'http://127.0.0.256/a',
      'https://[::ffff:10.0.0.1]/a',
      'https://example.com/ü',
      `https://example.com/${'a'.repeat(2048)}`,
      7,
    ])
      expect([url, await add(url)]).toEqual([url, { url: expect.any(String) }]);
    for (const events of [[], ['ad.stolen'], ['ad.sold', 'ad.sold'], ['report.opened'], 'ad.sold'])
      expect(Object.keys((await add('https://example.com/a', events)) ?? {})[0]).toMatch(/^events/);
  });

  test('a person has ten, and sees their own alone; administrators share those of the marketplace', async () => {
    const [anna, ben] = [await createPerson(), await createPerson()];
    const [admin, other] = [await createPerson({ role: 'admin' }), await createPerson({ role: 'admin' })];
    const url = 'https://example.com/hook';
    const made = await Promise.all(
      Array.from({ length: 12 }, () => anna.client.call(api.createWebhook, { body: { url, events: ['ad.sold'] } })),
    );
    expect(made.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(201), 409, 409]);
    const [own] = await anna.client.ok(api.listWebhooks);
    expect(own).not.toHaveProperty('secret');
    expect(await ben.client.ok(api.listWebhooks)).toEqual([]);
    for (const { client } of [ben, admin])
      expect((await client.call(api.testWebhook, { params: { id: own!.id } })).status).toBe(404);
    expect((await ben.client.call(api.listWebhooks, { query: { of: 'site' } })).status).toBe(403);
    const site = await addWebhook(admin.client, url, ['report.opened'], { of: 'site' });
    expect(await other.client.ok(api.listWebhooks, { query: { of: 'site' } })).toMatchObject([{ id: site.id }]);
    expect((await ben.client.call(api.deleteWebhook, { params: { id: site.id } })).status).toBe(404);
    await other.client.ok(api.deleteWebhook, { params: { id: site.id } });
    const actions = await app
      .db('audit_log')
      .where({ target_type: 'webhook', target_id: site.id })
      .orderBy('id')
      .pluck('action');
    expect(actions).toEqual(['webhook.create', 'webhook.delete']);
  });

  test('what people do with their own is in the audit log, and never an address or a secret', async () => {
    const person = await createPerson();
    const { id, secret } = await addWebhook(person.client, 'https://example.com/hook/private', ['ad.sold']);
    const params = { id };
    await person.client.ok(api.updateWebhook, { params, body: { isOn: false } });
    const { secret: next } = await person.client.ok(api.changeWebhookSecret, { params });
    await person.client.ok(api.deleteWebhook, { params });
    const entries = await app.db('audit_log').where({ actor_id: person.id, target_id: id }).orderBy('id');
    expect(entries.map(({ action }) => action)).toEqual([
      'webhook.create',
      'webhook.switch_off',
      'webhook.change_secret',
      'webhook.delete',
    ]);
    for (const { details, request_id } of entries) {
      expect(details).toMatchObject({ host: 'example.com', userId: person.id });
      expect(request_id).toEqual(expect.any(String));
    }
    for (const hidden of ['private', secret, next]) expect(JSON.stringify(entries)).not.toContain(hidden);
  });

  test('what was sent to the webhook of somebody else is neither shown nor sent again', async () => {
    const url = 'https://example.com/hook';
    const connect = async () => {
      const { client } = await createPerson();
      const { id } = await addWebhook(client, url, ['ad.sold']);
      const sent = { webhook_id: id, type: 'ad.sold', data: '{}', status: 'failed', attempts: 10, next_at: null };
      const [{ id: deliveryId }] = await app.db('webhook_deliveries').insert(sent).returning('id');
      return { client, id, deliveryId };
    };
    const [anna, ben] = [await connect(), await connect()];
    expect(await ben.client.ok(api.listWebhookDeliveries, { params: { id: ben.id } })).toMatchObject([
      { id: ben.deliveryId },
    ]);
    const spec = api.listWebhookDeliveries;
    expect((await ben.client.call(spec, { params: { id: anna.id } })).status).toBe(404);
    for (const id of [anna.id, ben.id]) {
      const params = { id, deliveryId: anna.deliveryId };
      expect((await ben.client.call(api.resendWebhookDelivery, { params })).status).toBe(404);
    }
    expect(await app.db('webhook_deliveries').where({ id: anna.deliveryId }).first()).toMatchObject({
      status: 'failed',
    });
  });
});

test('without a key there are no webhooks', async () => {
  const { client } = await createWithoutKey();
  const { status, body } = await client.call(api.createWebhook, {
    body: { url: 'https://example.com/a', events: ['ad.sold'] },
  });
  expect([status, body.message]).toEqual([409, expect.stringContaining('TOKEN_ENC_KEY')]);
});
