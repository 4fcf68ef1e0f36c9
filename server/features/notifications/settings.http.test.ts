import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { getMyEmail } from '../../../contract/email.ts';
import * as api from '../../../contract/notification-settings.ts';
import { NOTIFICATION_KINDS, type NotificationKind } from '../../../contract/notifications.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { forgeLink } from '../../../test/harness/links.ts';
import { openSession } from '../../../test/harness/sessions.ts';
import { signLink } from './link-tokens.ts';
import { toUnsubscribeUrl } from './settings.ts';
import { readNotificationSettings } from './settings-repository.ts';

const { app, url, anonymous, createPerson } = await openTestApp();

test('everyone begins with the defaults, for every kind', async () => {
  const { client } = await createPerson();
  const settings = await client.ok(api.getNotificationSettings);
  expect(settings).toEqual(api.DEFAULT_CHANNELS);
  expect(Object.keys(settings)).toEqual([...NOTIFICATION_KINDS]);
});

test('a change stores what is named and leaves the rest', async () => {
  const [anna, ben] = [await createPerson(), await createPerson()];
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
  const { client } = await createPerson();
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
  const { id, client } = await createPerson();
  expect((await client.call(api.updateNotificationSettings, { body: body as never })).status).toBe(400);
  expect(await app.db('notification_settings').where({ user_id: id })).toEqual([]);
});

describe('the link at the end of a mail', () => {
  const readToken = (address: string): string => new URL(address).searchParams.get('token')!;
  const openLink = async (kind: NotificationKind = 'message') => {
    const { id, client } = await createPerson();
    const { created_at: user_created_at } = await app.db('users').where({ id }).first();
    const token = readToken(toUnsubscribeUrl(app, { user_id: id, user_created_at, kind }));
    const change = (what: 'kind' | 'all', isOn: boolean) =>
      anonymous.call(api.changeSubscription, { body: { token, what, isOn } });
    return { id, client, token, change };
  };
  const listAudited = (id: string) => app.db('audit_log').where({ target_id: id }).orderBy('id').pluck('action');

  test('says from which kind, and reading it changes nothing', async () => {
    const { id, token } = await openLink('ad_expiring');
    for (let i = 0; i < 2; i++)
      expect(await anonymous.ok(api.getSubscription, { query: { token } })).toEqual({
        kind: 'ad_expiring',
        isOn: true,
        isPaused: false,
      });
    expect(await app.db('notification_settings').where({ user_id: id })).toEqual([]);
  });

  test('switches off its kind only, signed out, and on again', async () => {
    const { id, client, change } = await openLink();
    expect((await change('kind', false)).body).toEqual({ kind: 'message', isOn: false, isPaused: false });
    const expected = { ...api.DEFAULT_CHANNELS, message: { email: false, push: true } };
    expect(await client.ok(api.getNotificationSettings)).toEqual(expected);
    expect((await change('kind', false)).status).toBe(200);
    await change('kind', true);
    expect(await client.ok(api.getNotificationSettings)).toEqual(api.DEFAULT_CHANNELS);
    expect(await listAudited(id)).toEqual(['email.unsubscribe', 'email.resume']);
  });

  test('switches off all mail, and the undo restores what each kind had', async () => {
    const { client, change } = await openLink();
    await client.ok(api.updateNotificationSettings, { body: { notice: { email: false } } });
    const before = await client.ok(api.getNotificationSettings);
    expect((await change('all', false)).body).toMatchObject({ isPaused: true });
    expect(await client.ok(getMyEmail)).toMatchObject({ isPaused: true });
    expect((await change('all', true)).body).toMatchObject({ isPaused: false });
    expect(await client.ok(api.getNotificationSettings)).toEqual(before);
  });

  test('works for who is suspended or banned, and says when the account is gone', async () => {
    const { id, client, token, change } = await openLink();
    const until = new Date(Date.now() + 60_000).toISOString();
    await app.db('users').where({ id }).update({ suspended_until: until });
    const body = { token, what: 'kind', isOn: false } as const;
    expect((await client.call(api.changeSubscription, { body })).status).toBe(200);
    await app.db('users').where({ id }).update({ banned_at: until });
    expect((await change('all', false)).status).toBe(200);
    await app.db('users').where({ id }).update({ deleted_at: until });
    expect((await change('all', true)).body).toMatchObject({
      code: 'link_invalid',
      message: 'The account of this link was deleted. It gets no mail.',
    });
  });

  test.each([
    ['a newer account with the same id, after a restore', Date.parse('2020-01-01T00:00:00Z')],
    ['an account whose time it does not name', undefined],
  ])('changes nothing for %s, and says that it is not valid', async (_, userSince) => {
    const { id, client } = await createPerson();
    const token = signLink(app, 'unsubscribe', { userId: id, userSince: userSince!, kind: 'message' }, 60);
    const invalid = { code: 'link_invalid', message: expect.stringContaining('This link is not valid.') };
    expect((await anonymous.call(api.getSubscription, { query: { token } })).body).toMatchObject(invalid);
    for (const what of ['kind', 'all'] as const) {
      const body = { token, what, isOn: false };
      expect((await anonymous.call(api.changeSubscription, { body })).body).toMatchObject(invalid);
    }
    expect((await postForm(token)).status).toBe(400);
    expect(await client.ok(api.getNotificationSettings)).toEqual(api.DEFAULT_CHANNELS);
    expect(await client.ok(getMyEmail)).toMatchObject({ isPaused: false });
  });

  test('of another purpose, changed or expired changes nothing', async () => {
    const { id, token } = await openLink();
    const { created_at } = await app.db('users').where({ id }).first();
    const payload = { userId: id, userSince: Date.parse(created_at), kind: 'message' } as const;
    const expired = signLink(app, 'unsubscribe', payload, -1);
    const foreign = signLink(app, 'verify-email', { userId: id, pendingId: randomUUID() }, 60);
    for (const [bad, status] of [
      [expired, 410],
      [foreign, 400],
      [forgeLink(token), 400],
      ['', 400],
      ['x'.repeat(10_000), 400],
    ] as const) {
      expect((await anonymous.call(api.getSubscription, { query: { token: bad } })).status).toBe(status);
      const body = { token: bad, what: 'all', isOn: false } as const;
      expect((await anonymous.call(api.changeSubscription, { body })).status).toBe(status);
      expect((await postForm(bad)).status).toBe(status);
    }
    expect(await app.db('notification_settings').where({ user_id: id })).toEqual([]);
    expect(await app.db('email_addresses').where({ user_id: id })).toEqual([]);
  });

  const ONE_CLICK = 'List-Unsubscribe=One-Click';
  const URLENCODED = 'application/x-www-form-urlencoded';
  /** Posts what a mail program posts (RFC 8058), to the address in the mail's header. */
  const postForm = (token: string, { body = ONE_CLICK, type = URLENCODED, headers = {} } = {}) =>
    fetch(`${url}/unsubscribe?token=${token}`, { method: 'POST', body, headers: { 'Content-Type': type, ...headers } });

  test('is one POST for a mail program, from any origin, as either kind of form', async () => {
    const multipart = '--x1\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x1--\r\n';
    const other = await openSession(app, (await createPerson()).id);
    for (const options of [
      {},
      { type: `${URLENCODED}; charset=utf-8` },
      { body: multipart, type: 'multipart/form-data; boundary=x1' },
      { headers: { Origin: 'https://mail.example', 'Sec-Fetch-Site': 'cross-site' } },
      { headers: { Origin: 'null' } },
      { headers: { Cookie: other } },
    ]) {
      const { id, client, token } = await openLink();
      const response = await postForm(token, options);
      expect([response.status, await response.json()]).toEqual([
        200,
        { kind: 'message', isOn: false, isPaused: false },
      ]);
      expect((await client.ok(api.getNotificationSettings)).message).toEqual({ email: false, push: true });
      expect(await app.db('audit_log').where({ target_id: id })).toMatchObject([
        { actor_id: null, actor: 'anonymous' },
      ]);
      expect((await postForm(token, options)).status).toBe(200);
    }
  });

  test.each([
    ['nothing', { body: '' }, 400],
    ['another field', { body: 'Unsubscribe=Yes' }, 400],
    ['another value', { body: 'List-Unsubscribe=Please' }, 400],
    ['JSON', { type: 'application/json', body: '{"List-Unsubscribe":"One-Click"}' }, 415],
    ['text', { type: 'text/plain' }, 415],
    ['10 kB', { body: `${ONE_CLICK}&x=${'x'.repeat(10_000)}` }, 413],
    ['NUL', { body: `${ONE_CLICK}&x=%00` }, 400],
  ])('changes nothing by a POST of %s', async (_, options, status) => {
    const { client, token } = await openLink();
    expect((await postForm(token, options)).status).toBe(status);
    expect(await client.ok(api.getNotificationSettings)).toEqual(api.DEFAULT_CHANNELS);
  });

  test('changes nothing by GET, HEAD or OPTIONS', async () => {
    const { client, token } = await openLink();
    for (const method of ['GET', 'HEAD', 'OPTIONS']) await fetch(`${url}/unsubscribe?token=${token}`, { method });
    expect(await client.ok(api.getNotificationSettings)).toEqual(api.DEFAULT_CHANNELS);
  });
});
