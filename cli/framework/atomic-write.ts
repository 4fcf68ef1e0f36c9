import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CliError, EXIT } from './errors.ts';

const openPartial = async (path: string): Promise<WriteStream> => {
  const stream = createWriteStream(path, { flags: 'w', mode: 0o600, flush: true });
  try {
    await once(stream, 'open');
  } catch (error) {
    throw new CliError(EXIT.notFound, `${path} cannot be written: ${(error as NodeJS.ErrnoException).code}`);
  }
  return stream;
};

const syncDirectory = async (path: string): Promise<void> => {
  const directory = await open(path, 'r');
  await directory.sync().finally(() => directory.close());
};

/**
 * Writes a file as FILE.partial and gives it its name when all of it is on disk: whoever sees FILE sees all of it. Where
 * `work` fails, nothing is left. Readable by its owner only.
 */
export async function writeFileAtomic<T>(path: string, work: (stream: WriteStream) => Promise<T>): Promise<T> {
  const partial = `${path}.partial`;
  const stream = await openPartial(partial);
  try {
    const result = await work(stream);
    stream.end();
    await once(stream, 'close');
    await rename(partial, path);
    await syncDirectory(dirname(path));
    return result;
  } catch (error) {
    stream.destroy();
    await rm(partial, { force: true });
    throw error;
  }
}
