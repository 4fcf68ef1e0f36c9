import { mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createImageCache, type ImageCacheOptions } from './image-cache.ts';
import type { ImageKey } from './storage.ts';

const key = (digit: string): ImageKey => ({ sha256: digit.repeat(64), variant: 'thumb' });
let directory: string;
let loads: string[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'media-'));
  loads = [];
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const load = async ({ sha256 }: ImageKey) => {
  loads.push(sha256[0]!);
  return sha256.startsWith('0') ? undefined : Buffer.alloc(100, sha256);
};
const open = (options: Partial<ImageCacheOptions> = {}) =>
  createImageCache({
    directory,
    diskBytes: 1000,
    memoryBytes: 250,
    load,
    isCurrent: () => true,
    findExisting: findAll,
    ...options,
  });
const findAll = async (sha256s: readonly string[]) => new Set(sha256s);
/** All but this one are there. */
const findAllBut = (digit: string) => async (sha256s: readonly string[]) =>
  new Set(sha256s.filter((sha256) => !sha256.startsWith(digit)));

describe('the image cache', () => {
  it('reads an image from its store once, however many ask at the same time', async () => {
    const cache = open();
    const answers = await Promise.all(Array.from({ length: 50 }, () => cache.get(key('a'))));
    expect(new Set(answers).size).toBe(1);
    expect(loads).toEqual(['a']);
    expect(cache.peek(key('a'))).toHaveLength(100);
  });

  it('answers from disk what memory no longer holds', async () => {
    const cache = open();
    for (const digit of 'abc') await cache.get(key(digit));
    expect(cache.peek(key('a'))).toBeUndefined();
    expect((await cache.get(key('a')))?.equals(Buffer.alloc(100, 'a'.repeat(64)))).toBe(true);
    expect(loads).toEqual(['a', 'b', 'c']);
  });

  it('uses what an earlier process left on disk and still exists, and deletes its abandoned temporary files', async () => {
    await open().get(key('a'));
    const abandoned = join(directory, `${'b'.repeat(64)}.thumb.jpg.1.tmp`);
    await writeFile(abandoned, 'half an image');
    await utimes(abandoned, new Date('2026-01-01'), new Date('2026-01-01'));
    const cache = open();
    await cache.recheck();
    expect(cache.isOnDisk(key('a'))).toBe(true);
    await cache.get(key('a'));
    expect(loads).toEqual(['a']);
    expect(await readdir(directory)).toEqual([`${'a'.repeat(64)}.thumb.jpg`]);
  });

  it('leaves the temporary files alone that another replica is writing to the same directory', async () => {
    const fresh = `${'b'.repeat(64)}.thumb.jpg.1.tmp`;
    await writeFile(join(directory, fresh), 'half an image');
    await open().recheck();
    expect(await readdir(directory)).toEqual([fresh]);
  });

  it('finds the other files when one vanishes during the scan, because another replica evicts it', async () => {
    for (const digit of 'ab') await open().get(key(digit));
    // listed, but not there
    await symlink(join(directory, 'nowhere'), join(directory, `${'0'.repeat(64)}.thumb.jpg`));
    const errors: unknown[] = [];
    const cache = open({ onDiskError: (error) => errors.push(error) });
    await cache.recheck();
    expect([errors, cache.isOnDisk(key('a')), cache.isOnDisk(key('b'))]).toEqual([[], true, true]);
  });

  it('asks the store for what an earlier process left on disk until it is known to exist', async () => {
    await open().get(key('a'));
    const cache = open({ load: async () => undefined });
    expect(await cache.get(key('a'))).toBeUndefined();
    expect(cache.isOnDisk(key('a'))).toBe(false);
  });

  it('takes what was deleted meanwhile off the disk of an earlier process', async () => {
    for (const digit of 'ab') await open().get(key(digit));
    const cache = open({ findExisting: findAllBut('a') });
    await cache.recheck();
    expect([cache.isOnDisk(key('a')), cache.isOnDisk(key('b'))]).toEqual([false, true]);
    await expect.poll(() => readdir(directory)).toEqual([`${'b'.repeat(64)}.thumb.jpg`]);
  });

  it('trusts nothing of an earlier process while it is unknown what exists', async () => {
    await open().get(key('a'));
    const cache = open({ findExisting: () => Promise.reject(new Error('down')) });
    await expect(cache.recheck()).rejects.toThrow('down');
    expect(cache.isOnDisk(key('a'))).toBe(false);
  });

  it('forgets what was deleted unheard, also while it is loaded', async () => {
    const loaded = Promise.withResolvers<Buffer>();
    const slow = async (asked: ImageKey) => (asked.sha256.startsWith('a') ? loaded.promise : load(asked));
    const cache = open({ load: slow, findExisting: async () => new Set() });
    await cache.get(key('b'));
    const loading = cache.get(key('a'));
    await cache.recheck();
    loaded.resolve(Buffer.alloc(100));
    expect(await loading).toHaveLength(100);
    expect([cache.peek(key('a')), cache.peek(key('b'))]).toEqual([undefined, undefined]);
    expect(cache.sizes()).toEqual({ memory: 0, disk: 0 });
  });

  it('keeps its directory below its size, least recently shown first out', async () => {
    const cache = open({ diskBytes: 350 });
    for (const digit of 'abcaef') await cache.get(key(digit));
    await expect.poll(async () => (await readdir(directory)).map((file) => file[0]).sort()).toEqual(['a', 'e', 'f']);
    expect(cache.sizes()).toEqual({ memory: 200, disk: 300 });
  });

  it('fetches again what was deleted or emptied on disk', async () => {
    const cache = open({ memoryBytes: 1 });
    await cache.get(key('a'));
    await writeFile(join(directory, `${'a'.repeat(64)}.thumb.jpg`), '');
    expect(await cache.get(key('a'))).toHaveLength(100);
    await rm(directory, { recursive: true });
    expect(await cache.get(key('a'))).toHaveLength(100);
    expect(loads).toEqual(['a', 'a', 'a']);
  });

  it('remembers nothing of an image that does not exist', async () => {
    const cache = open();
    expect(await cache.get(key('0'))).toBeUndefined();
    expect(await cache.get(key('0'))).toBeUndefined();
    expect(loads).toEqual(['0', '0']);
  });

  it('serves on when the disk fails', async () => {
    await writeFile(join(directory, 'file'), '');
    const errors: unknown[] = [];
    const cache = open({
      directory: join(directory, 'file', 'below'),
      memoryBytes: 1,
      onDiskError: (e) => errors.push(e),
    });
    expect(await cache.get(key('a'))).toHaveLength(100);
    expect(await cache.get(key('a'))).toHaveLength(100);
    expect(errors.length).toBeGreaterThan(0);
  });

  it('passes on an error of the store and tries again next time', async () => {
    let fails = true;
    const cache = open({ load: async (asked) => (fails ? Promise.reject(new Error('down')) : load(asked)) });
    await expect(cache.get(key('a'))).rejects.toThrow('down');
    fails = false;
    expect(await cache.get(key('a'))).toHaveLength(100);
  });

  it('keeps no image of an older format, not even one of an earlier process', async () => {
    await open().get(key('a'));
    const isCurrent = (_: ImageKey, bytes: Buffer) => bytes.includes('new');
    const formats = ['old', 'new'];
    const cache = open({ load: async () => Buffer.from(formats.shift() ?? 'none'), isCurrent });
    await cache.recheck();
    const asked: string[] = [];
    for (let i = 0; i < 3; i++) asked.push(String(await cache.get(key('a'))));
    expect(asked).toEqual(['old', 'new', 'new']);
    expect(formats).toEqual([]);
  });

  it('forgets a deleted image in memory and on disk', async () => {
    const cache = open();
    await cache.get(key('a'));
    cache.purge('a'.repeat(64));
    await expect.poll(() => readdir(directory)).toEqual([]);
    expect(cache.peek(key('a'))).toBeUndefined();
  });

  it('keeps nothing of an image that is deleted while it is loaded', async () => {
    let isDeleted = false;
    const cache = open({
      load: async () => {
        if (isDeleted) return undefined;
        isDeleted = true;
        cache.purge('a'.repeat(64));
        return Buffer.alloc(100);
      },
    });
    expect(await cache.get(key('a'))).toHaveLength(100);
    expect(cache.peek(key('a'))).toBeUndefined();
    expect(await cache.get(key('a'))).toBeUndefined();
    expect(await readdir(directory)).toEqual([]);
  });

  it('takes an image off the disk again that is deleted while it is written', async () => {
    const cache = open({
      load: async () => {
        // after the loaded bytes were taken up, before the turns of the event loop that a file needs
        setImmediate(() => cache.purge('a'.repeat(64)));
        return Buffer.alloc(100);
      },
    });
    expect(await cache.get(key('a'))).toHaveLength(100);
    expect(cache.sizes()).toEqual({ memory: 0, disk: 0 });
    await expect.poll(() => readdir(directory)).toEqual([]);
  });

  it('reads again what is asked for after it was deleted', async () => {
    const cache = open();
    const before = cache.get(key('a'));
    cache.purge('a'.repeat(64));
    const after = cache.get(key('a'));
    expect(await Promise.all([before, after])).toHaveLength(2);
    expect(loads).toEqual(['a', 'a']);
    expect(cache.peek(key('a'))).toHaveLength(100);
  });
});
