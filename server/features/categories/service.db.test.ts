import { beforeAll, expect, test } from 'vitest';
import { openTestApp } from '../../../test/harness/app.ts';
import { insertCategories, insertUser } from '../../../test/harness/factories.ts';
import type { UserActor } from '../../policy.ts';
import { addCategory, mergeCategories, renameCategory, seedCategories, setCategoryDisabled } from './service.ts';

const { app } = await openTestApp();
beforeAll(() => insertCategories(app));

test('only administrators change categories', async () => {
  const { id } = await insertUser(app);
  const actor: UserActor = { kind: 'user', id, role: 'user' };
  const boats = { slug: 'boats', name: 'Boats', emoji: '⛵' };
  const changes = [
    () => addCategory(app, actor, boats),
    () => renameCategory(app, actor, 'books', { name: 'Paper' }),
    () => mergeCategories(app, actor, { from: 'books', into: 'art' }),
    () => setCategoryDisabled(app, actor, 'books', true),
    () => seedCategories(app, [boats], { actor }),
  ];
  const before = await app.db('categories').orderBy('id');
  for (const change of changes) await expect(change()).rejects.toMatchObject({ code: 'forbidden' });
  expect(await app.db('categories').orderBy('id')).toEqual(before);
});
