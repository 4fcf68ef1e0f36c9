import { afterAll, beforeEach, expect, test } from 'vitest';
import { openPostingSite } from '../../../test/harness/posting.ts';
import { type AppContext, createAppContext } from '../../app-context.ts';
import { readConfig } from '../../config/load.ts';
import { createLog } from '../../observability/log.ts';
import { createTokenEncryption, decryptTokens, getAccessToken } from './tokens.ts';

const site = await openPostingSite();
const { app, sandbox, control, createPerson } = site;
beforeEach(site.reset);

// Four processes of five workers each, as far as the database can tell: every one has a pool of its own.
const replicas: AppContext[] = Array.from({ length: 4 }, () =>
  createAppContext(readConfig({ ...site.env, X_CLIENT_ID: 'sandbox-client', LOG_LEVEL: 'silent' }), {
    log: createLog('silent'),
  }),
);
afterAll(() => Promise.all(replicas.map((replica) => replica.close())));

/** Opens five connections of a replica, one after the other: opening twenty at once is not what is tested here. */
async function warmUp({ db }: AppContext): Promise<void> {
  const held = [];
  for (let n = 0; n < 5; n++) held.push(await db.transaction());
  await Promise.all(held.map((trx) => trx.rollback()));
}

const openMaya = async (): Promise<string> => {
  await createPerson();
  for (const replica of replicas) await warmUp(replica);
  return (await app.db('x_accounts').first()).user_id;
};
const askTwentyTimes = (userId: string, refused?: string) =>
  Promise.all(replicas.flatMap((replica) => Array.from({ length: 5 }, () => getAccessToken(replica, userId, refused))));
const countRefreshes = () => sandbox.log.filter((r) => r.body?.grant_type === 'refresh_token').length;

test('of twenty workers that find the token expired one refreshes, and all get what it got', async () => {
  const userId = await openMaya();
  await app.db('x_accounts').update({ access_expires_at: new Date() });
  await control('faults', { kind: 'slow-after', path: '/2/oauth2/token', delayMs: 300 });
  const answers = await askTwentyTimes(userId);
  expect(new Set(answers.map((a) => ('token' in a ? a.token : a.failure))).size).toBe(1);
  expect(answers[0]).toHaveProperty('token');
  expect(countRefreshes()).toBe(1);
  expect((await app.x.me((answers[0] as { token: string }).token)).username).toBe('mayalindqvist');
});

test('of twenty workers whose token X refused one refreshes', async () => {
  const userId = await openMaya();
  const refused =
    decryptTokens(createTokenEncryption(app.config.tokenEncKey), await app.db('x_accounts').first()).access ?? '';
  const answers = await askTwentyTimes(userId, refused);
  expect(answers.every((a) => 'token' in a && a.token !== refused)).toBe(true);
  expect(countRefreshes()).toBe(1);
});

test('twenty refreshes in a row each use the newest pair', async () => {
  const userId = await openMaya();
  for (let n = 0; n < 20; n++) {
    await app.db('x_accounts').update({ access_expires_at: new Date() });
    expect(await getAccessToken(replicas[n % 4]!, userId)).toHaveProperty('token');
  }
  expect(countRefreshes()).toBe(20);
  expect(sandbox.log.filter((r) => r.path === '/2/oauth2/token' && r.status !== 200)).toEqual([]);
});

test('a key that is gone does not send anything in clear, and does not break the link', async () => {
  const userId = await openMaya();
  const other = createAppContext(
    readConfig({ ...site.env, TOKEN_ENC_KEY: 'another-key-of-at-least-thirty-two-bytes!!' }),
  );
  await expect(getAccessToken(other, userId)).rejects.toThrow('no key');
  await other.close();
  expect(await app.db('x_accounts').first()).toMatchObject({ status: 'ok' });
});
