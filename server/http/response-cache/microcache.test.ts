import { expect, test } from 'vitest';
import { createResponseCache } from './microcache.ts';
import { toCachedResponse } from './prepared-answer.ts';

const answer = async (text: string) => toCachedResponse(200, {}, text);

test('however many ask at the same time, an answer is made once', async () => {
  const cache = createResponseCache();
  let made = 0;
  const make = () => {
    made++;
    return answer('x');
  };
  await Promise.all(Array.from({ length: 50 }, () => cache.get('key', make)));
  await cache.get('key', make);
  expect(made).toBe(1);
});

test('what was being made when something changed is given to whoever asked before, and kept for nobody', async () => {
  const cache = createResponseCache();
  const old = Promise.withResolvers<Awaited<ReturnType<typeof answer>>>();
  const asked = cache.get('key', () => old.promise);
  cache.clear();
  const fresh = cache.get('key', () => answer('new'));
  old.resolve(await answer('old'));
  expect([(await asked).body.toString(), (await fresh).body.toString()]).toEqual(['old', 'new']);
  expect((await cache.get('key', () => answer('newest'))).body.toString()).toBe('new');
});

test('a failure is not kept', async () => {
  const cache = createResponseCache();
  await expect(cache.get('key', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect((await cache.get('key', () => answer('back'))).body.toString()).toBe('back');
});

test('another spelling leads to the answer of now, too', async () => {
  const cache = createResponseCache(Number.MAX_SAFE_INTEGER);
  await cache.get('key', () => answer('old'), '/a?b=1&c=2');
  cache.clear();
  await cache.get('key', () => answer('new'), '/a?c=2&b=1');
  expect(cache.peek('/a?b=1&c=2')).toBe(cache.peek('/a?c=2&b=1'));
  expect(cache.peek('/a?b=1&c=2')?.body.toString()).toBe('new');
});

test('what is asked for by its very address is found without its key, as long as it is kept', async () => {
  const cache = createResponseCache();
  await cache.get('key', () => answer('x'), '/a?b=1');
  expect(cache.peek('/a?b=1')?.body.toString()).toBe('x');
  cache.clear();
  expect(cache.peek('/a?b=1')).toBeUndefined();
});
