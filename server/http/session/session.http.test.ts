import { beforeEach, expect, test } from 'vitest';
import { getMe, logout } from '../../../contract/auth.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import type { Client } from '../../../test/harness/client.ts';
import { insertUser } from '../../../test/harness/factories.ts';

const { app, anonymous, signIn } = await openTestApp();

/** How often the database was asked who holds a session while `work` went on. */
async function countSessionReads(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const onQuery = ({ sql }: { sql: string }) => {
    if (sql.includes('from sessions s join users u') && !sql.includes('any(')) count++;
  };
  app.db.on('query', onQuery);
  await work();
  app.db.removeListener('query', onQuery);
  return count;
}

let ann: Client;
let ben: Client;
let benId: string;
beforeEach(async () => {
  await expect.poll(() => app.events.isUp()).toBe(true);
  ann = await signIn((await insertUser(app)).id);
  benId = (await insertUser(app)).id;
  ben = await signIn(benId);
  await ann.ok(getMe);
  await ben.ok(getMe);
});

test('a session that ends anywhere leaves the cached sessions of other people', async () => {
  const end = async () => {
    await app.db('sessions').where({ user_id: benId }).delete();
    await expect.poll(async () => (await ben.call(getMe)).status).toBe(401);
  };
  await end();
  expect(await countSessionReads(() => ann.ok(getMe))).toBe(0);
});

test('a role that changes anywhere drops the cached session of that person', async () => {
  expect(await countSessionReads(() => ben.ok(getMe))).toBe(0);
  await app.db('users').where({ id: benId }).update({ role: 'admin' });
  await expect.poll(async () => (await ben.ok(getMe)).role).toBe('admin');
  expect(await countSessionReads(() => ann.ok(getMe))).toBe(0);
});

test.each(['banned_at', 'deleted_at'])('a session that begins although %s is set signs no one in', async (column) => {
  const person = await insertUser(app, { [column]: new Date().toISOString() });
  expect((await (await signIn(person.id)).call(getMe)).status).toBe(401);
});

test('a sign-out without a session neither writes nor drops what is cached', async () => {
  await anonymous.send('/api/stats');
  const statements: string[] = [];
  const onQuery = ({ sql }: { sql: string }) => void statements.push(sql);
  app.db.on('query', onQuery);
  expect((await anonymous.call(logout)).status).toBe(204);
  await anonymous.send('/api/stats');
  await ann.ok(getMe);
  app.db.removeListener('query', onQuery);
  expect(statements.filter((sql) => /sessions|counter_totals/.test(sql))).toEqual([]);
});
