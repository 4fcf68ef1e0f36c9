import { expect, test } from 'vitest';
import { endpoints } from '../../contract/index.ts';
import { routes } from './routes.ts';

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

test('every endpoint of the contract is bound, once, and nothing else is', () => {
  const bound = routes.map(({ spec }) => nameOf(spec));
  expect(bound.toSorted()).toEqual(endpoints.map(({ spec }) => nameOf(spec)).toSorted());
});
