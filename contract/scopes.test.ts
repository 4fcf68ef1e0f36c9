import { expect, test } from 'vitest';
import { endpoints } from './index.ts';
import { isStaffScope, SCOPE_NAMES } from './scopes.ts';

const named = (isChosen: (endpoint: (typeof endpoints)[number]['spec']) => boolean) =>
  endpoints.filter(({ spec }) => isChosen(spec)).map(({ name }) => name);

test('staff scopes open what staff alone may call, and nothing else', () => {
  const isForStaff = (access: string) => access === 'moderator' || access === 'admin';
  expect(named(({ scope, access }) => isStaffScope(scope) && !isForStaff(access))).toEqual([]);
  expect(named(({ scope, access }) => isForStaff(access) && !isStaffScope(scope) && scope !== 'session')).toEqual([]);
});

test('a token without any scope gets what a visitor gets', () => {
  expect(named(({ scope, access }) => scope === 'public' && access !== 'public')).toEqual([]);
});

test('a scope to read changes nothing', () => {
  const isForReading = (scope: string) => scope.endsWith(':read') || scope === 'public';
  const writes = named(
    ({ scope, method, changesNothing }) => isForReading(scope) && method !== 'GET' && !changesNothing,
  );
  expect(writes).toEqual([]);
});

test('every scope opens something', () => {
  const used = new Set<string>(endpoints.map(({ spec }) => spec.scope));
  expect(SCOPE_NAMES.filter((scope) => !used.has(scope))).toEqual([]);
});

test('ways in, the end of an account, bans, roles and settings take no token', () => {
  const isForPeople =
    /passkey|recover|password|sign|logout|email|push|ban|setting|brand|logo|deleteMe|deleteUser|exportMyData/i;
  const open = named(({ scope, method }) => scope !== 'session' && method !== 'GET').filter((name) =>
    isForPeople.test(name),
  );
  expect(open).toEqual([]);
});
