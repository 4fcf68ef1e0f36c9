import { beforeAll, expect, test } from 'vitest';
import { getMe } from '../../contract/auth.ts';
import { openTestApp } from '../harness/app.ts';
import { insertUser } from '../harness/factories.ts';

const on = await openTestApp({ env: { AUTH_TEST_USERS: 'on' } });
const off = await openTestApp();

beforeAll(async () => {
  for (const { app } of [on, off]) await insertUser(app, { id: '1001', username: 'seller_one' });
});

const ask = ({ anonymous }: typeof on, id: string) => anonymous.call(getMe, { headers: { 'X-Test-User': id } });

test('X-Test-User signs in where it is switched on, from loopback', async () => {
  expect((await ask(on, '1001')).body).toMatchObject({ id: '1001', username: 'seller_one' });
});

test('so does the cookie that an image sends, and only there', async () => {
  const byCookie = ({ anonymous }: typeof on, id: string) =>
    anonymous.call(getMe, { headers: { Cookie: `testUser=${id}` } });
  expect((await byCookie(on, '1001')).body).toMatchObject({ id: '1001' });
  expect((await byCookie(on, 'seller_one')).status).toBe(401);
  expect((await byCookie(off, '1001')).status).toBe(401);
});

test.each(['', '0', '-1', '1001x', ' 1001 x', '1e3', '99999999999999999999', "1001'--", 'seller_one'])(
  'the value %j signs no one in',
  async (id) => {
    expect((await ask(on, id)).status).toBe(401);
  },
);

test('a banned sample user is not signed in', async () => {
  await on.app.db('users').where({ id: '1001' }).update({ banned_at: on.app.db.fn.now() });
  expect((await ask(on, '1001')).status).toBe(401);
  await on.app.db('users').where({ id: '1001' }).update({ banned_at: null });
});

test('it is ignored where it is not switched on, and in production even then', async () => {
  expect((await ask(off, '1001')).status).toBe(401);
  const { config } = on.app;
  on.app.config = { ...config, isProduction: true };
  expect((await ask(on, '1001')).status).toBe(401);
  on.app.config = config;
});

test('pages say who may be chosen only where it is on', async () => {
  const boot = async ({ anonymous }: typeof on) =>
    JSON.parse(/id="boot">(.*?)<\/script>/s.exec((await anonymous.send('/how-it-works')).body)?.[1] ?? '');
  expect((await boot(on)).env.testUsers).toEqual([
    { id: '1001', username: 'seller_one', displayName: expect.any(String) },
  ]);
  expect((await boot(off)).env.testUsers).toEqual([]);
});
