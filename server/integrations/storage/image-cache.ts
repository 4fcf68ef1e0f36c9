import { closeSync, open, read } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { ignoreMissing, writeFileAtomic } from './filesystem.ts';
import { type ImageKey, parseFileName, toFileName, VARIANTS } from './storage.ts';

export type ImageCacheOptions = {
  /** What an earlier process cached here is used again, once `recheck` has found that it still exists. */
  directory: string;
  diskBytes: number;
  memoryBytes: number;
  load: (key: ImageKey) => Promise<Buffer | undefined>;
  /** Which of these pictures exist. */
  findExisting: (sha256s: readonly string[]) => Promise<ReadonlySet<string>>;
  /** A full or broken disk slows serving and must not end it. */
  onDiskError?: (error: unknown) => void;
};

/** Pictures that are asked about in one query. */
const BATCH = 1000;

export type ImageCache = ReturnType<typeof createImageCache>;

/**
 * Pictures in front of their store: a little memory over a bounded directory. A bytea was measured ten times slower to
 * serve than a file, so each is read from the store once per replica, however many ask at the same time.
 */
export function createImageCache(options: ImageCacheOptions) {
  const { directory, diskBytes, memoryBytes, load, findExisting, onDiskError } = options;
  // in a single byte there is room for nothing
  const maxSize = memoryBytes || 1;
  const memory = new LRUCache<string, Buffer>({ maxSize, sizeCalculation: (bytes) => bytes.length || 1 });
  const disk = new LRUCache<string, number>({
    maxSize: diskBytes,
    sizeCalculation: (bytes) => bytes || 1,
    dispose: (_size, name, why) => why !== 'set' && rm(join(directory, name), { force: true }).catch(onDiskError),
  });
  // what is purged is taken out of here too, which tells its load to keep nothing
  const loading = new Map<string, Promise<Buffer | undefined>>();

  // names on disk of which nobody knows yet whether they were deleted while no process was there to hear of it
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
    const bytes = (await readDisk(name)) ?? (await fetchOnce(key, name, isWanted));
    if (bytes && isWanted()) memory.set(name, bytes);
    return bytes;
  }

  async function readDisk(name: string): Promise<Buffer | undefined> {
    if (inherited.has(name)) return undefined;
    const size = disk.get(name);
    const bytes = size ? await readSized(join(directory, name), size).catch(() => undefined) : undefined;
    if (size !== undefined && !bytes) disk.delete(name);
    return bytes;
  }

  async function fetchOnce(key: ImageKey, name: string, isWanted: () => boolean): Promise<Buffer | undefined> {
    const bytes = await load(key);
    if (!bytes || !isWanted()) return bytes;
    await writeFileAtomic(join(directory, name), bytes, { durable: false }).then(() => {
      disk.set(name, bytes.length);
      inherited.delete(name);
      // purged while it was written
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
    /** The picture if memory holds it: no promise, no turn of the event loop. */
    peek: (key: ImageKey): Buffer | undefined => memory.get(toFileName(key)),
    /** Whether a file is known to hold it; asks no disk. */
    isOnDisk: (key: ImageKey): boolean => isOnDisk(toFileName(key)),
    get(key: ImageKey): Promise<Buffer | undefined> {
      const name = toFileName(key);
      return loading.get(name) ?? begin(key, name);
    },
    /** Forgets a deleted picture; one that is being loaded is still answered to who asked before, and not kept. */
    purge,
    /** Forgets what was deleted while nobody here heard of it: before this process began, or while LISTEN was down. */
    async recheck(): Promise<void> {
      await scanOnce();
      const names = new Set([...loading.keys(), ...memory.keys(), ...disk.keys()].map(nameOfPicture));
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

const nameOfPicture = (fileName: string): string => parseFileName(fileName)?.sha256 ?? '';

/**
 * A file of known size, or undefined if it is shorter, in two turns of a thread: readFile takes five, asking for the size and
 * for what comes after the end.
 */
const readSized = (path: string, size: number): Promise<Buffer | undefined> =>
  new Promise((resolve, reject) => {
    open(path, 'r', (failed, fd) => {
      if (failed) return reject(failed);
      read(fd, Buffer.allocUnsafeSlow(size), 0, size, 0, (error, length, bytes) => {
        // waits for nothing: a turn of a thread would cost more
        closeSync(fd);
        if (error) reject(error);
        else resolve(length === size ? bytes : undefined);
      });
    });
  });

/** Cached files, longest unchanged first; drafts of a killed process are swept away. */
async function listFiles(directory: string): Promise<{ name: string; size: number }[]> {
  const names = (await readdir(directory).catch(ignoreMissing)) ?? [];
  await Promise.all(
    names.filter((name) => name.endsWith('.tmp')).map((name) => rm(join(directory, name), { force: true })),
  );
  const files = names
    .filter((name) => parseFileName(name))
    .map(async (name) => {
      const file = await stat(join(directory, name));
      return { name, size: file.size, changed: file.mtimeMs };
    });
  return (await Promise.all(files)).sort((a, b) => a.changed - b.changed);
}
