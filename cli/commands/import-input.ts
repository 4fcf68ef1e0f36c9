import { createReadStream } from 'node:fs';
import type { Cli } from '../framework/cli.ts';
import { CliError, EXIT } from '../framework/errors.ts';

async function* readInput({ stdin }: Cli): AsyncIterable<Uint8Array> {
  for await (const chunk of stdin) yield Buffer.from(chunk);
}

async function* readChunks(path: string): AsyncIterable<Uint8Array> {
  try {
    yield* createReadStream(path);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === 'open' || syscall === 'read') throw new CliError(EXIT.notFound, `${path} cannot be read: ${code}`);
    throw error;
  }
}

/** The bytes of a file; those of standard input for "-". */
export const readBytes = (cli: Cli, file: string): AsyncIterable<Uint8Array> =>
  file === '-' ? readInput(cli) : readChunks(file);
