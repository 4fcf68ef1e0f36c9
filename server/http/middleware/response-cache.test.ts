import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { toCachedResponse } from '../response/cached-response.ts';
import { createResponseCache } from './response-cache.ts';

const respond = async (text: string) => toCachedResponse(200, {}, text);

test('concurrent misses create a response once', async () => {
  const cache = createResponseCache();
  let created = 0;
  const create = () => {
    created++;
    return respond('x');
  };
  await Promise.all(Array.from({ length: 50 }, () => cache.get('/a', create)));
  await cache.get('/a', create);
  expect(created).toBe(1);
});

test('a response is as old as the start of its making', async () => {
  const cache = createResponseCache();
  const slow = async () => {
    await sleep(20);
    return respond('old');
  };
  await cache.get('/a', slow, 10);
  expect(cache.find('/a')).toBeUndefined();
  expect(String((await cache.get('/a', () => respond('new'), 30)).body)).toBe('new');
  expect(String(cache.find('/a')?.body)).toBe('new');
  await sleep(40);
  expect(cache.find('/a')).toBeUndefined();
  expect(String(cache.findExpired('/a')?.body)).toBe('new');
});

test('a failure is not kept', async () => {
  const cache = createResponseCache();
  await expect(cache.get('/a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect((await cache.get('/a', () => respond('back'))).body.toString()).toBe('back');
});

test('the order of parameters makes no difference, everything else does', async () => {
  const cache = createResponseCache();
  await cache.get('/a?b=1&c=2', () => respond('x'), 60_000);
  expect(cache.find('/a?c=2&b=1')?.body.toString()).toBe('x');
  for (const other of ['/a', '/a?b=1', '/a?b=1&c=2&d=3', '/a?b=2&c=1', '/a/?b=1&c=2'])
    expect(cache.find(other)).toBeUndefined();
  await cache.get('/a?b=1?&c=2', () => respond('y'), 60_000);
  expect(cache.find('/a?b=1'), 'a second question mark belongs to the query').toBeUndefined();
});
