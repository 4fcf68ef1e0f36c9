import { expect, test } from 'vitest';
import * as api from '../../../contract/admin.ts';
import { createAd, listAds } from '../../../contract/ads.ts';
import { getMe } from '../../../contract/auth.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { runCli } from '../../../test/harness/cli.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { DEFAULT_SETTINGS } from './repository.ts';

const database = await createTestDatabase();
/** Two replicas, each with a session of the same two people. */
const [one, two] = [
  await openTestApp({ database }),
  await openTestApp({ database: { ...database, drop: async () => {} } }),
];
await insertCategories(one.app);
const [admin, seller] = [await insertUser(one.app, { role: 'admin' }), await insertUser(one.app)];
const adminAtOne = await one.signIn(admin.id);
const adminAtTwo = await two.signIn(admin.id);
const sellerAtTwo = await two.signIn(seller.id);
const post = (fields = {}) => sellerAtTwo.ok(createAd, { body: adBody(fields) });

test('what an administrator sets at one replica holds for the next write at the other', async () => {
  expect((await post()).state).toBe('active');
  for (const moderationMode of ['manual', 'automatic', 'manual', 'automatic'] as const) {
    await adminAtOne.ok(api.updateSettings, { body: { ...DEFAULT_SETTINGS, moderationMode } });
    expect((await adminAtTwo.ok(api.getSettings)).moderationMode).toBe(moderationMode);
    expect((await post()).state).toBe(moderationMode === 'manual' ? 'pending' : 'active');
  }
});

test('so does what an operator sets from the terminal', async () => {
  const env = { DATABASE_URL: database.url };
  expect((await runCli('settings set bannedWords zither', { env })).code).toBe(0);
  expect((await post({ title: 'A zither' })).state).toBe('pending');
  expect((await runCli('settings set bannedWords spam', { env })).code).toBe(0);
  expect((await post({ title: 'A zither' })).state).toBe('active');
});

test('pages of the other replica show distances in the chosen unit', async () => {
  const unitAtTwo = async () =>
    JSON.parse(/id="boot">(.*?)<\/script>/.exec((await sellerAtTwo.send('/')).body)![1]!).env.distanceUnit;
  expect(await unitAtTwo()).toBe('km');
  await adminAtOne.ok(api.updateSettings, { body: { ...DEFAULT_SETTINGS, distanceUnit: 'miles' } });
  expect(await unitAtTwo()).toBe('miles');
  // a client that does not know the setting leaves it as it is
  const { distanceUnit: _, ...known } = DEFAULT_SETTINGS;
  expect(await adminAtOne.ok(api.updateSettings, { body: known })).toMatchObject({ distanceUnit: 'miles' });
  const wrong = { ...DEFAULT_SETTINGS, distanceUnit: 'leagues' } as never;
  expect(await adminAtOne.call(api.updateSettings, { body: wrong })).toMatchObject({
    status: 400,
    body: { fields: { distanceUnit: 'Must be km or miles' } },
  });
});

test('a ban at one replica ends sessions and lists at the other', async () => {
  await post({ title: 'Of a banned person' });
  const titles = async () => (await two.anonymous.ok(listAds)).map(({ title }) => title);
  await expect.poll(titles).toContain('Of a banned person');
  await adminAtOne.ok(api.banUser, { params: { id: seller.id }, body: {} });
  expect((await sellerAtTwo.call(createAd, { body: adBody() })).status).toBe(401);
  await expect.poll(async () => (await sellerAtTwo.call(getMe)).status).toBe(401);
  await expect.poll(titles).not.toContain('Of a banned person');
});
