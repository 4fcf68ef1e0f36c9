import { expect, test } from 'vitest';
import * as auth from '../../contract/auth.ts';
import { openTestApp } from '../../test/harness/app.ts';
import { insertUser } from '../../test/harness/factories.ts';

const { app, anonymous, signIn } = await openTestApp();

test('health answers without a database question, readiness with one', async () => {
  expect((await anonymous.send('/healthz')).status).toBe(200);
  expect((await anonymous.send('/readyz')).body).toEqual({ status: 'ok' });
});

test('a request without a session gets 401 with the error JSON', async () => {
  const { status, body, headers } = await anonymous.call(auth.getMe);
  expect(status).toBe(401);
  expect(body).toEqual({ message: 'Please log in', code: 'unauthenticated', requestId: headers.get('x-request-id') });
});

test('a path of its own refuses other methods, also those of a pattern that matches it', async () => {
  const { status, headers, body } = await anonymous.send('/api/places/nearest');
  expect([status, body.code, headers.get('allow')]).toEqual([405, 'method_not_allowed', 'POST']);
  expect((await anonymous.send('/api/places/1', { method: 'DELETE' })).headers.get('allow')).toBe('GET, HEAD');
});

test('a session tells who one is', async () => {
  const user = await insertUser(app);
  const me = await (await signIn(user.id)).ok(auth.getMe);
  expect(me).toMatchObject({ id: user.id, username: user.username, role: 'user', hasPassword: false });
});

test('logging out ends the session and clears the cookie', async () => {
  const client = await signIn((await insertUser(app)).id);
  const { status, headers } = await client.call(auth.logout);
  expect(status).toBe(204);
  expect(headers.getSetCookie().map((c) => c.split(';')[0])).toEqual([
    'connect.sid=',
    expect.stringMatching(/^connect\.sid\.sig=/),
    expect.stringMatching(/^wrote=\d{13}\.[\w-]{43}$/),
  ]);
  expect((await client.call(auth.getMe)).status).toBe(401);
});
