import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VARIANTS, type Variant } from '../../../contract/image-variants.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { startFakeS3 } from '../../../test/harness/fake-s3.ts';
import { createPool, type Db } from '../../db/pools.ts';
import { createDatabaseStore } from './database.ts';
import { createFilesystemStore } from './filesystem.ts';
import { createS3Store } from './s3.ts';
import type { ImageStore, StoredImage } from './storage.ts';

const database = await createTestDatabase();
const directory = await mkdtemp(join(tmpdir(), 'store-'));
const s3 = await startFakeS3('images');
const db: Db = createPool({ url: database.url, name: 'test' });
afterAll(async () => {
  await db.destroy();
  await Promise.all([database.drop(), rm(directory, { recursive: true }), s3.close()]);
});

const credentials = { region: 'test-1', accessKeyId: 'key', secretAccessKey: 'secret' };
const openS3 = () => createS3Store({ endpoint: s3.endpoint, bucket: 'images', forcePathStyle: true, ...credentials });
const stores: Record<string, () => ImageStore> = {
  database: () => createDatabaseStore(db),
  filesystem: () => createFilesystemStore(directory),
  s3: openS3,
};
const name = (digit: string) => digit.repeat(64);
const full = (digit: string) => ({ sha256: name(digit), variant: 'full' as const });
const every = async (store: ImageStore) => {
  const found: StoredImage[] = [];
  for await (const image of store.list()) found.push(image);
  return found.map(({ sha256, variant, bytes }) => `${sha256[0]}.${variant} ${bytes}`);
};
const put = (store: ImageStore, digit: string, variant: Variant, bytes: Buffer) =>
  store.put([{ sha256: name(digit), variant, bytes }]);

beforeAll(async () => {
  for (const digit of 'abcd')
    await db('images').insert({ sha256: Buffer.from(name(digit), 'hex'), width: 1, height: 1, color: '#000000' });
});

describe.each(Object.entries(stores))('the %s store', (_kind, open) => {
  const bytes = Buffer.from(Array.from({ length: 3000 }, (_, i) => i % 256));

  it('gives back the very bytes that were put, and nothing for an image it does not have', async () => {
    const store = open();
    await put(store, 'a', 'full', bytes);
    expect((await store.get(full('a')))?.equals(bytes)).toBe(true);
    expect(await store.get(full('e'))).toBeUndefined();
    expect(await store.get({ ...full('a'), variant: 'card' })).toBeUndefined();
  });

  it('takes the same image again', async () => {
    const store = open();
    await put(store, 'a', 'full', bytes);
    expect(await store.get(full('a'))).toHaveLength(3000);
  });

  it('takes every variant', async () => {
    const store = open();
    for (const variant of VARIANTS) await put(store, 'd', variant, bytes);
    for (const variant of VARIANTS) expect(await store.get({ sha256: name('d'), variant })).toHaveLength(3000);
    await store.delete(name('d'));
    expect(await store.get(full('d'))).toBeUndefined();
  });

  it('lists every variant with its size in order of name, over several pages', async () => {
    const store = open();
    await put(store, 'b', 'full', bytes.subarray(0, 10));
    await put(store, 'b', 'thumb', bytes.subarray(0, 4));
    await put(store, 'c', 'card', bytes.subarray(0, 7));
    expect(await every(store)).toEqual(['a.full 3000', 'b.full 10', 'b.thumb 4', 'c.card 7']);
  });

  it('changes the format of a variant on request', async () => {
    const store = open();
    const webp = Buffer.from('RIFF....WEBP');
    await store.put([{ ...full('d'), bytes }]);
    await store.put([{ ...full('d'), bytes: webp }], 'replace');
    expect(await store.get(full('d'))).toEqual(webp);
    await store.delete(name('d'));
  });

  it('deletes all variants of an image and is silent about one that is not there', async () => {
    const store = open();
    await store.delete(name('b'));
    await store.delete(name('b'));
    expect(await every(store)).toEqual(['a.full 3000', 'c.card 7']);
  });
});

describe('the database store', () => {
  it('forgets what a rolled-back transaction put', async () => {
    const failed = db.transaction(async (trx) => {
      await createDatabaseStore(trx).put([{ ...full('d'), bytes: Buffer.from('x') }]);
      throw new Error('the restore failed');
    });
    await expect(failed).rejects.toThrow('the restore failed');
    expect(await createDatabaseStore(db).get(full('d'))).toBeUndefined();
  });
});

describe('the filesystem store', () => {
  it('does not list foreign files', async () => {
    await writeFile(join(directory, 'README.txt'), 'hello');
    await mkdir(join(directory, 'ff'));
    await writeFile(join(directory, 'ff', `${name('f')}.full.jpg.123.tmp`), 'half');
    expect(await every(createFilesystemStore(directory))).toEqual(['a.full 3000', 'c.card 7']);
  });

  it('is empty while its directory does not exist', async () => {
    expect(await every(createFilesystemStore(join(directory, 'nowhere')))).toEqual([]);
  });
});

describe('the S3 store', () => {
  it('tries again when the server is busy', async () => {
    s3.failNext(2);
    expect(await openS3().get(full('a'))).toHaveLength(3000);
  });

  it('says what the server answered when a request fails', async () => {
    const foreign = createS3Store({ endpoint: s3.endpoint, bucket: 'other', forcePathStyle: true, ...credentials });
    await expect(put(foreign, 'a', 'full', Buffer.from('x'))).rejects.toThrow(
      'S3 answered 404 to PUT: <Code>NoSuchBucket</Code>',
    );
  });

  it('stores the type of an image', async () => {
    await put(openS3(), 'e', 'thumb', Buffer.from('RIFF....WEBP'));
    const types = ['a.full', 'e.thumb'].map((key) => s3.objects.get(`${key.replace(/^./, name)}.jpg`)?.type);
    expect(types).toEqual(['image/jpeg', 'image/webp']);
    await openS3().delete(name('e'));
  });
});
