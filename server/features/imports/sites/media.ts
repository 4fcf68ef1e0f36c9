import { constants } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { LIMITS } from '../../../../contract/limits.ts';
import { FileRefused } from '../photos.ts';

/** Names of files and folders, one below the other: nothing that leads elsewhere. */
const splitPath = (path: string): string[] => {
  const parts = path.split('/').filter(Boolean);
  const isPlain = parts.every((part) => part !== '.' && part !== '..' && !/[\\\0]/.test(part));
  if (parts.length === 0 || !isPlain) throw new FileRefused('no path to a file below the folder');
  return parts;
};

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP'].includes(String((error as NodeJS.ErrnoException).code));

const resolve = (path: string): Promise<string | undefined> =>
  realpath(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw new FileRefused(`cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  });

/**
 * A file of the site's pictures. The folder may be that of the whole site, or one of those that the path goes through.
 * @throws {FileRefused} it is not there, leads out of the folder by a link, is no file, or too large
 */
export const findMediaFile = async (folder: string, path: string): Promise<string> => {
  const parts = splitPath(path);
  const root = await realpath(folder);
  for (let from = 0; from < parts.length; from += 1) {
    const file = await resolve(join(root, ...parts.slice(from)));
    if (file === undefined) continue;
    if (!file.startsWith(root.endsWith(sep) ? root : root + sep))
      throw new FileRefused('a link that leads out of the folder');
    const { size } = await stat(file).then((found) => (found.isFile() ? found : { size: -1 }));
    if (size < 0) throw new FileRefused('no file');
    if (size > LIMITS.photo) throw new FileRefused(`larger than ${LIMITS.photo / 1024 / 1024} MB`);
    return file;
  }
  throw new FileRefused('not in the folder');
};

/** Reads a picture of the site. @throws {FileRefused} as findMediaFile */
export const readMediaFile = async (folder: string, path: string): Promise<Buffer> => {
  const file = await findMediaFile(folder, path);
  // the last name is no link any more, and no pipe that would wait
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => {
      throw new FileRefused(`cannot be read: ${error.code}`);
    },
  );
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
};
