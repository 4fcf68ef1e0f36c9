import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const SOURCES = globSync('{server,cli,seeds}/**/*.ts').filter((file) => !file.includes('.test.'));
const DOORS = ['server/features/reports/give-back.ts', 'server/features/reports/take-decision.ts'];

const findFiles = (pattern: RegExp): string[] =>
  SOURCES.filter((file) => pattern.test(readFileSync(file, 'utf8'))).toSorted();

/** What takes something from a person, or gives it back, and where it is defined. */
test.each([
  ['ban', 'account/removal'],
  ['suspend', 'account/removal'],
  ['unban', 'account/removal'],
  ['moveSuspensionEnd', 'account/removal'],
  ['holdAd', 'ads/repository'],
  ['clearAd', 'ads/repository'],
  ['takeDownAd', 'ads/repository'],
  ['restoreAdState', 'ads/repository'],
  ['setRemoved', 'ratings/repository'],
])('only decisions import %s from %s', (name, file) => {
  const files = findFiles(new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '[^']*${file}\\.ts'`));
  expect(files).not.toEqual([]);
  expect(files.filter((one) => !DOORS.includes(one))).toEqual([]);
});

/** Columns that say what a decision took, and the files that write them or compare them in an object. */
test.each<[column: string, ...files: string[]]>([
  // a deletion forgets the ban; banned_x_accounts remembers it
  ['banned_at', 'account/removal', 'account/repository', 'auth/repository', 'users/repository'],
  // time ends a suspension
  ['suspended_until', 'account/repository', 'users/repository', 'server/http/session/session', 'server/policy'],
  ['ban_reason', 'account/repository', 'users/repository'],
  // the trigger writes it for the previous release
  ['taken_down', 'ads/columns'],
  // a new or edited ad may need approval
  ['moderation', 'server/db/rows', 'ads/columns', 'ads/repository', 'ads/service', 'reports/give-back'],
  ['is_approved', 'ads/columns', 'ads/repository', 'ads/service', 'reports/give-back'],
  ['removed_at', 'ratings/repository'],
])('only known files name %s in an object', (column, ...files) => {
  const writers = findFiles(new RegExp(`\\b${column}: (?!string|boolean)`));
  expect(writers.map((file) => file.replace(/^server\/features\/|\.ts$/g, ''))).toEqual(files);
});

test('only the module of decisions writes them', () => {
  expect(
    findFiles(/\('decisions'\)\s*\.(where[^;]*\.update|insert|delete)|(update|into|delete from) decisions\b/),
  ).toEqual(['server/features/reports/decision-repository.ts']);
});
