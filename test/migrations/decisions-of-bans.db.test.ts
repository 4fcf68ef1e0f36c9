import { expect, test } from 'vitest';
import { up as decideEarlierBans } from '../../migrations/20261125234010_decisions_of_earlier_bans.ts';
import { openTestApp } from '../harness/app.ts';
import { insertUser } from '../harness/factories.ts';

const { app } = await openTestApp();
const listBans = (id: string) =>
  app.db('decisions').where({ person_id: id, action: 'ban' }).select('reason', 'note', 'decided_by', 'created_at');

test('a ban of an earlier release gets its decision, once, without the words for staff', async () => {
  const banned_at = '2026-05-01T00:00:00Z';
  const [{ id }, free] = [await insertUser(app, { banned_at, ban_reason: 'For staff' }), await insertUser(app)];
  await decideEarlierBans(app.db);
  await decideEarlierBans(app.db);
  expect(await listBans(id)).toEqual([{ reason: 'other', note: null, decided_by: null, created_at: banned_at }]);
  expect(await listBans(free.id)).toEqual([]);
});

test('a ban that replicas of the previous release write gets its decision, and a second one after its end', async () => {
  const { id } = await insertUser(app);
  const write = (banned_at: string | null) => app.db('users').where({ id }).update({ banned_at });
  await write(new Date().toISOString());
  await write('2026-05-01T00:00:00.000Z');
  expect(await listBans(id)).toMatchObject([{ reason: 'other', note: null }]);
  await write(null);
  await app.db('decisions').where({ person_id: id }).update({ ended_at: app.db.fn.now() });
  await write(new Date().toISOString());
  expect(await listBans(id)).toHaveLength(2);
});
