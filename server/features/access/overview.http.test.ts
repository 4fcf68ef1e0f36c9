import { expect, test } from 'vitest';
import * as api from '../../../contract/admin.ts';
import { getMe } from '../../../contract/auth.ts';
import { makeRecoveryCodes } from '../../../contract/recovery.ts';
import { updateWebhook } from '../../../contract/webhooks.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { createClient } from '../../../test/harness/client.ts';
import { openToken } from '../../../test/harness/sessions.ts';
import { addWebhook, WEBHOOK_ENV } from '../../../test/harness/webhooks.ts';

const { app, url, createPerson } = await openTestApp({ env: WEBHOOK_ENV });

test('administrators see how many ways in and programs a person has, and when these were last used', async () => {
  const [admin, moderator] = [await createPerson({ role: 'admin' }), await createPerson({ role: 'moderator' })];
  const person = await createPerson();
  const params = { id: person.id };
  const none = { count: 0, lastUsedAt: null };
  expect(await admin.client.ok(api.getUserAccess, { params })).toEqual({
    passkeys: none,
    recoveryCodes: 0,
    accessTokens: none,
    webhooks: 0,
  });
  await person.client.ok(makeRecoveryCodes);
  const token = await openToken(app, person.id);
  const expired = await openToken(app, person.id);
  await app.db.raw(`update access_tokens set created_at = now() - interval '2 days', expires_at = now() - interval '1 day'
    where id = (select max(id) from access_tokens)`);
  expect((await createClient(url, { Authorization: token }).call(getMe)).status).toBe(200);
  expect((await createClient(url, { Authorization: expired }).call(getMe)).status).toBe(401);
  await addWebhook(person.client, 'https://example.com/on', ['ad.sold']);
  const { id } = await addWebhook(person.client, 'https://example.com/off', ['ad.sold']);
  await person.client.ok(updateWebhook, { params: { id }, body: { isOn: false } });
  const access = await admin.client.ok(api.getUserAccess, { params });
  expect(access).toMatchObject({ passkeys: none, recoveryCodes: 8, accessTokens: { count: 1 }, webhooks: 1 });
  expect(Date.parse(access.accessTokens.lastUsedAt!)).toBeGreaterThan(Date.now() - 600_000);
  expect((await moderator.client.call(api.getUserAccess, { params })).status).toBe(403);
  await app.db('users').where({ id: person.id }).update({ deleted_at: app.db.fn.now() });
  expect((await admin.client.call(api.getUserAccess, { params })).status).toBe(404);
});
