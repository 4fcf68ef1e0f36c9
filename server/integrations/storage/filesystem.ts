import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { VARIANTS } from '../../../contract/image-variants.ts';
import { type ImageKey, type ImageStore, parseFileName, type StoredImage, toFileName } from './storage.ts';

const FOLDER = /^[0-9a-f]{2}$/;

async function* listFolder(folder: string): AsyncIterable<StoredImage> {
  for (const name of ((await readdir(folder).catch(ignoreMissing)) ?? []).sort()) {
    const key = parseFileName(name);
    const file = key && (await stat(join(folder, name)).catch(ignoreMissing));
    if (key && file) yield { ...key, bytes: file.size, storedAt: file.mtimeMs };
  }
}

/** Images as files in a directory that every replica mounts, spread over 256 folders. Writes are atomic. */
export function createFilesystemStore(directory: string): ImageStore {
  const pathOf = (key: ImageKey) => join(directory, key.sha256.slice(0, 2), toFileName(key));
  return {
    kind: 'filesystem',
    async put(images) {
      await Promise.all(images.map((image) => writeFileAtomic(pathOf(image), image.bytes)));
    },
    get: (key) => readFile(pathOf(key)).catch(ignoreMissing),
    async delete(sha256) {
      await Promise.all(VARIANTS.map((variant) => rm(pathOf({ sha256, variant }), { force: true })));
    },
    async *list() {
      // one folder at a time, because there may be millions of files
      const folders = (await readdir(directory).catch(ignoreMissing)) ?? [];
      for (const folder of folders.filter((name) => FOLDER.test(name)).sort())
        yield* listFolder(join(directory, folder));
    },
  };
}

export async function writeFileAtomic(
  path: string,
  bytes: Uint8Array,
  options: { durable: boolean } = { durable: true },
) {
  const temporary = `${path}.${randomUUID()}.tmp`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(temporary, bytes, { flush: options.durable });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** For `catch`: a missing file is `undefined`, any other error is thrown. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
