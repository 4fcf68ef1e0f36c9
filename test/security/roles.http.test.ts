import { expect, test } from 'vitest';
import { getMe } from '../../contract/auth.ts';
import { evict } from '../../server/features/access/evict.ts';
import { createOperatorLink, recoverByLink } from '../../server/features/access/recovery.ts';
import { setRole } from '../../server/features/admin/service.ts';
import { operator } from '../../server/policy.ts';
import { openTestApp } from '../harness/app.ts';
import { insertAdmin } from '../harness/factories.ts';

const { app, createPerson, signIn } = await openTestApp();
const OPERATOR = operator('test');

const readRole = async (id: string) => (await app.db('users').where({ id }).first('role'))!.role;

test('the last administrator stays one', async () => {
  const { id } = await createPerson({ role: 'admin' });
  await expect(setRole(app, OPERATOR, id, 'user')).rejects.toMatchObject({ code: 'last_admin' });
  await createPerson({ role: 'admin' });
  expect(await setRole(app, OPERATOR, id, 'user')).toBe(true);
});

test('who is banned or suspended gets no rights, and may lose them', async () => {
  const [banned, suspended] = [await createPerson(), await createPerson()];
  await app.db('users').where({ id: banned.id }).update({ banned_at: app.db.fn.now() });
  await app.db('users').where({ id: suspended.id }).update({ suspended_until: '2099-01-01' });
  for (const { id } of [banned, suspended]) {
    await expect(setRole(app, OPERATOR, id, 'moderator')).rejects.toMatchObject({ code: 'conflict' });
    await app.db('users').where({ id }).update({ role: 'moderator' });
    expect([await setRole(app, OPERATOR, id, 'user'), await readRole(id)]).toEqual([true, 'user']);
  }
});

test('a lower role ends sessions, a higher one none', async () => {
  const { id, client } = await createPerson();
  await setRole(app, OPERATOR, id, 'moderator');
  expect((await client.call(getMe)).status).toBe(200);
  await setRole(app, OPERATOR, id, 'user');
  await expect.poll(async () => (await client.call(getMe)).status).toBe(401);
});

test('who has no way in anyway gets a lower role, and an eviction', async () => {
  const [lower, evicted] = [await insertAdmin(app), await insertAdmin(app)];
  for (const { id } of [lower, evicted]) {
    await app.db('users').where({ id }).update({ x_id: null });
    await app.db('admin_credentials').where({ user_id: id }).update({ disabled_at: app.db.fn.now() });
  }
  expect(await setRole(app, OPERATOR, lower.id, 'user')).toBe(true);
  expect(await evict(app, OPERATOR, evicted.id)).toMatchObject({ passkeys: 0 });
});

test('an eviction ends sessions and recovery links', async () => {
  const { id, client } = await createPerson();
  const token = (await createOperatorLink(app, OPERATOR, id)).split('#token=')[1]!;
  await evict(app, OPERATOR, id);
  await expect.poll(async () => (await client.call(getMe)).status).toBe(401);
  expect((await (await signIn(id)).call(getMe)).status).toBe(200);
  await expect(recoverByLink(app, token)).rejects.toMatchObject({ code: 'link_invalid' });
});
