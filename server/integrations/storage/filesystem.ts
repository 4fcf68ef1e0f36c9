import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type ImageKey, type ImageStore, parseFileName, toFileName, VARIANTS } from './storage.ts';

/** Pictures as files in one directory that every replica mounts, spread over 256 folders; a crash leaves no half file. */
export function createFilesystemStore(directory: string): ImageStore {
  const pathOf = (key: ImageKey) => join(directory, key.sha256.slice(0, 2), toFileName(key));
  return {
    kind: 'filesystem',
    async put(_trx, images) {
      await Promise.all(images.map((image) => writeFileAtomic(pathOf(image), image.bytes)));
    },
    get: (key) => readFile(pathOf(key)).catch(ignoreMissing),
    async delete(sha256) {
      await Promise.all(VARIANTS.map((variant) => rm(pathOf({ sha256, variant }), { force: true })));
    },
    async *list() {
      const entries = (await readdir(directory, { recursive: true }).catch(ignoreMissing)) ?? [];
      for (const entry of entries) {
        const key = parseFileName(basename(entry));
        const file = key && (await stat(join(directory, entry)).catch(ignoreMissing));
        if (key && file) yield { ...key, bytes: file.size, storedAt: file.mtimeMs };
      }
    },
  };
}

/** Writes a file that is either there in full or not at all. */
export async function writeFileAtomic(
  path: string,
  bytes: Uint8Array,
  options: { durable: boolean } = { durable: true },
) {
  const draft = `${path}.${randomUUID()}.tmp`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(draft, bytes, { flush: options.durable });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** For `catch`: a file that is not there is `undefined`, anything else an error. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
