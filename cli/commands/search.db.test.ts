import { expect, test } from 'vitest';
import { openCliDatabase } from '../../test/harness/cli.ts';
import { EXIT } from '../framework/errors.ts';

const { run } = await openCliDatabase();
const synonyms = (line: string) => run(`search synonyms ${line}`);
const list = async () => (await synonyms('list -o json')).json();

test('one word is no group', async () => {
  const { code, stderr } = await synonyms('add bike');
  expect(code).toBe(EXIT.usage);
  expect(stderr).toContain('A group needs two words or phrases at least.');
  expect(stderr).toContain('marketctl search synonyms remove "bike" --built-in');
});

test('a group is added once, and removed by any of its words', async () => {
  for (let i = 0; i < 2; i++) expect((await synonyms('add Bike velocipede --language en')).code).toBe(EXIT.ok);
  expect(await list()).toMatchObject([{ words: 'bike, velocipede', language: 'en', oneWay: false }]);
  expect((await synonyms('remove VELOCIPEDE')).code).toBe(EXIT.ok);
  expect(await list()).toEqual([]);
});

test('what only a built-in group has is said, and switched off by an option', async () => {
  const refused = await synonyms('remove settee');
  expect(refused.code).toBe(EXIT.notFound);
  expect(refused.stderr).toContain('Only a built-in group has "settee": sofa, couch, settee.');
  expect((await synonyms('remove settee --built-in')).code).toBe(EXIT.ok);
  expect(await list()).toMatchObject([{ words: 'settee', language: null }]);
  expect((await synonyms('remove settee')).code).toBe(EXIT.ok);
  expect(await list()).toEqual([]);
  expect((await synonyms('remove qwertz')).stderr).toContain('No group has "qwertz".');
});
