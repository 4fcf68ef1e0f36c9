import { expect, test } from 'vitest';
import { up } from '../../migrations/20261125180000_clean_names.ts';
import { openTestApp } from '../harness/app.ts';
import { insertUser } from '../harness/factories.ts';

const { app } = await openTestApp();

test.each([
  ['Maya\u202E evil', 'Maya evil'],
  ['\u001B[31mred\u0007', '[31mred'],
  [' \u2028 ', 'shade'],
  ['\u3164', 'shade'],
  ['\u200B\u200D\uFE0F', 'shade'],
  [`z${'\u0301'.repeat(50)}`, `z${'\u0301'.repeat(4)}`],
  ['محمد\u200C 👩‍👩‍👧 O’Neil', 'محمد\u200C 👩‍👩‍👧 O’Neil'],
])('the name %j that X gave becomes %j', async (display_name, expected) => {
  const { id } = await insertUser(app, { display_name, username: 'shade' });
  await up(app.db);
  expect(await app.db('users').where({ id }).first('display_name')).toEqual({ display_name: expected });
  await app.db('users').where({ id }).update({ username: null });
});
