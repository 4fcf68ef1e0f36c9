import { expect, test } from 'vitest';
import * as api from '../../../contract/notification-settings.ts';
import { NOTIFICATION_KINDS } from '../../../contract/notifications.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { insertUser } from '../../../test/harness/factories.ts';
import { readNotificationSettings } from './settings-repository.ts';

const { app, signIn } = await openTestApp();
const openPerson = async () => {
  const { id } = await insertUser(app);
  return { id, client: await signIn(id) };
};

test('everyone begins with the defaults, for every kind', async () => {
  const { client } = await openPerson();
  const settings = await client.ok(api.getNotificationSettings);
  expect(settings).toEqual(api.DEFAULT_CHANNELS);
  expect(Object.keys(settings)).toEqual([...NOTIFICATION_KINDS]);
});

test('a change stores what is named and leaves the rest', async () => {
  const [anna, ben] = [await openPerson(), await openPerson()];
  await anna.client.ok(api.updateNotificationSettings, { body: { price_drop: { email: true } } });
  const body = { message: { push: false }, price_drop: { push: false } };
  const changed = await anna.client.ok(api.updateNotificationSettings, { body });
  const expected = {
    ...api.DEFAULT_CHANNELS,
    message: { email: true, push: false },
    price_drop: { email: true, push: false },
  };
  expect(changed).toEqual(expected);
  const both = await readNotificationSettings(app.db, [anna.id, ben.id]);
  expect([both.get(anna.id), both.get(ben.id)]).toEqual([expected, api.DEFAULT_CHANNELS]);
});

test('two changes at once both take effect', async () => {
  const { client } = await openPerson();
  const all = (email: boolean) => Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, { email }]));
  const calls = Array.from({ length: 8 }, (_, n) =>
    client.ok(api.updateNotificationSettings, { body: n % 2 === 0 ? all(false) : { message: { push: false } } }),
  );
  await Promise.all(calls);
  const settings = await client.ok(api.getNotificationSettings);
  expect(settings.message).toEqual({ email: false, push: false });
  expect(Object.values(settings).map(({ email }) => email)).not.toContain(true);
});

test.each([
  ['an unknown kind', { unknown: { email: true } }],
  ['a kind of the prototype', { constructor: { email: true } }],
  ['a text for a switch', { message: { email: 'yes' } }],
  ['a list', []],
])('%s is refused and changes nothing', async (_, body) => {
  const { id, client } = await openPerson();
  expect((await client.call(api.updateNotificationSettings, { body: body as never })).status).toBe(400);
  expect(await app.db('notification_settings').where({ user_id: id })).toEqual([]);
});
