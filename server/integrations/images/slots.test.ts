import { expect, test } from 'vitest';
import { createSlots } from './slots.ts';

/** Work that lasts until it is told to end. */
const openWork = () => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  return { begun, work, end: (name: string) => ends.get(name)!() };
};

test('so many pieces of work run at a time, the others in their order as room is given back', async () => {
  const slot = createSlots(2);
  const { begun, work, end } = openWork();
  const done = ['a', 'b', 'c', 'd'].map((name) => slot(work(name)));
  await Promise.resolve();
  expect(begun).toEqual(['a', 'b']);
  end('b');
  await done[1];
  expect(begun).toEqual(['a', 'b', 'c']);
  end('a');
  await done[0];
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  end('c');
  end('d');
  expect(await Promise.all(done)).toEqual(['a', 'b', 'c', 'd']);
});

test('work that fails gives its room back', async () => {
  const slot = createSlots(1);
  await expect(slot(() => Promise.reject(new Error('damaged')))).rejects.toThrow('damaged');
  expect(await slot(async () => 'next')).toBe('next');
});
