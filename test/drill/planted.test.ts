import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listPlantedBugs, plant } from './planted.ts';

const bugs = listPlantedBugs();

test.each(bugs)('the planted bug $name fits the code, and says what it breaks and what finds it', (bug) => {
  expect(bug.breaks).not.toBe('');
  expect(bug.foundBy).not.toBe('');
  plant(join(import.meta.dirname, '../..'), bug, '--check');
});

test('there are ten planted bugs', () => {
  expect(bugs.length).toBeGreaterThanOrEqual(10);
});
