import { closeSync, open, read } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { VARIANTS } from '../../../contract/image-variants.ts';
import { ignoreMissing, writeFileAtomic } from './filesystem.ts';
import { type ImageKey, parseFileName, toFileName } from './storage.ts';

export type ImageCacheOptions = {
  /** May be shared by several replicas. Files found at the start are used once `recheck` has confirmed them. */
  directory: string;
  diskBytes: number;
  memoryBytes: number;
  load: (key: ImageKey) => Promise<Buffer | undefined>;
  /** An image in an older format is not cached, so that a later request may get the newer one. */
  isCurrent: (key: ImageKey, bytes: Buffer) => boolean;
  findExisting: (sha256s: readonly string[]) => Promise<ReadonlySet<string>>;
  /** A full or broken disk slows serving down but does not stop it. */
  onDiskError?: (error: unknown) => void;
};

const BATCH = 1000;

export type ImageCache = ReturnType<typeof createImageCache>;

/**
 * A cache in front of the image store: a little memory over a bounded directory, because a bytea is much slower to
 * serve than a file. Concurrent requests for an image share one load.
 */
export function createImageCache(options: ImageCacheOptions) {
  const { directory, diskBytes, memoryBytes, load, isCurrent, findExisting, onDiskError } = options;
  // lru-cache treats 0 as unbounded; no image fits into one byte
  const maxSize = memoryBytes || 1;
  const memory = new LRUCache<string, Buffer>({ maxSize, sizeCalculation: (bytes) => bytes.length || 1 });
  const disk = new LRUCache<string, number>({
    maxSize: diskBytes,
    sizeCalculation: (bytes) => bytes || 1,
    dispose: (_size, name, why) => why !== 'set' && rm(join(directory, name), { force: true }).catch(onDiskError),
  });
  // a purge removes the entry, so that the running load stores nothing
  const loading = new Map<string, Promise<Buffer | undefined>>();

  // files found at the start: their images may have been deleted before this process listened
  const inherited = new Set<string>();
  let scanned: Promise<void> | undefined;
  const scan = async () => {
    for (const { name, size } of await listFiles(directory)) {
      disk.set(name, size);
      inherited.add(name);
    }
  };
  const scanOnce = () => (scanned ??= scan().catch((error) => onDiskError?.(error)));
  const isOnDisk = (name: string) => disk.has(name) && !inherited.has(name);

  function begin(key: ImageKey, name: string): Promise<Buffer | undefined> {
    const isWanted = () => loading.get(name) === running;
    const running = find(key, name, isWanted).finally(() => isWanted() && loading.delete(name));
    loading.set(name, running);
    return running;
  }

  async function find(key: ImageKey, name: string, isWanted: () => boolean): Promise<Buffer | undefined> {
    await scanOnce();
    const bytes = (await readDisk(key, name)) ?? (await fetchOnce(key, name, isWanted));
    if (bytes && isWanted() && isCurrent(key, bytes)) memory.set(name, bytes);
    return bytes;
  }

  async function readDisk(key: ImageKey, name: string): Promise<Buffer | undefined> {
    if (inherited.has(name)) return undefined;
    const size = disk.get(name);
    const read = size ? await readSized(join(directory, name), size).catch(() => undefined) : undefined;
    const bytes = read && isCurrent(key, read) ? read : undefined;
    if (size !== undefined && !bytes) disk.delete(name);
    return bytes;
  }

  async function fetchOnce(key: ImageKey, name: string, isWanted: () => boolean): Promise<Buffer | undefined> {
    const bytes = await load(key);
    if (!bytes || !isWanted() || !isCurrent(key, bytes)) return bytes;
    await writeFileAtomic(join(directory, name), bytes, { durable: false }).then(() => {
      disk.set(name, bytes.length);
      inherited.delete(name);
      if (!isWanted()) disk.delete(name);
    }, onDiskError);
    return bytes;
  }

  function purge(sha256: string) {
    for (const variant of VARIANTS) {
      const name = toFileName({ sha256, variant });
      for (const kept of [loading, memory, disk]) kept.delete(name);
    }
  }

  return {
    peek: (key: ImageKey): Buffer | undefined => memory.get(toFileName(key)),
    isOnDisk: (key: ImageKey): boolean => isOnDisk(toFileName(key)),
    get(key: ImageKey): Promise<Buffer | undefined> {
      const name = toFileName(key);
      return loading.get(name) ?? begin(key, name);
    },
    /** Removes a deleted image. A running load still returns it to its callers, but does not store it. */
    purge,
    /** Removes images deleted before this process started or while LISTEN was down. */
    async recheck(): Promise<void> {
      await scanOnce();
      const names = new Set([...loading.keys(), ...memory.keys(), ...disk.keys()].map(toImageName));
      for (let rest = [...names]; rest.length > 0; rest = rest.slice(BATCH)) {
        const batch = rest.slice(0, BATCH);
        const existing = await findExisting(batch);
        for (const sha256 of batch) if (!existing.has(sha256)) purge(sha256);
      }
      inherited.clear();
    },
    sizes: () => ({ memory: memory.calculatedSize, disk: disk.calculatedSize }),
  };
}

const toImageName = (fileName: string): string => parseFileName(fileName)?.sha256 ?? '';

/** Reads a file of known size; undefined if it is shorter. readFile takes more system calls. */
const readSized = (path: string, size: number): Promise<Buffer | undefined> =>
  new Promise((resolve, reject) => {
    open(path, 'r', (failed, fd) => {
      if (failed) return reject(failed);
      read(fd, Buffer.allocUnsafeSlow(size), 0, size, 0, (error, length, bytes) => {
        // synchronous: closing a file that was only read is cheaper than a turn of the thread pool
        closeSync(fd);
        if (error) reject(error);
        else resolve(length === size ? bytes : undefined);
      });
    });
  });

/** Another replica on the same directory may still write to a younger temporary file. */
const ABANDONED_MS = 3_600_000;

/** Cached files, oldest first. Deletes incomplete files of killed processes. */
async function listFiles(directory: string): Promise<{ name: string; size: number }[]> {
  const files: { name: string; size: number; changedAt: number }[] = [];
  for (const name of (await readdir(directory).catch(ignoreMissing)) ?? []) {
    const path = join(directory, name);
    // another replica may have deleted the file
    const file = await stat(path).catch(ignoreMissing);
    if (!file) continue;
    if (parseFileName(name)) files.push({ name, size: file.size, changedAt: file.mtimeMs });
    else if (name.endsWith('.tmp') && file.mtimeMs < Date.now() - ABANDONED_MS) await rm(path, { force: true });
  }
  return files.sort((a, b) => a.changedAt - b.changedAt);
}
