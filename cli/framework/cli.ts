import { once } from 'node:events';
import { createWriteStream, readFileSync, type WriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import { parseEnv } from 'node:util';
import type { Command } from 'commander';
import type { Environment } from '../../server/config/load.ts';
import type { CliEnvironment } from './environment.ts';
import { CliError, EXIT, usageError } from './errors.ts';
import { createOutput, escapeControls, escapeLines, type Format, type Output, type OutputFlags } from './output.ts';
import { confirm, promptText } from './terminal.ts';

export interface Cli extends CliEnvironment {
  out: Output;
  /**
   * Prints in the same formats into a file, where CSV starts with a byte order mark, or to stdout for "-". The file
   * appears only when it is complete.
   */
  to<T>(path: string, work: (out: Output) => Promise<T>): Promise<T>;
  say(message: string): void;
  environment(): Environment;
  isVerbose(): boolean;
  isQuiet(): boolean;
  isTable(): boolean;
  mayAsk(): boolean;
  /** Returns after a yes; otherwise ends the command with exit code 7. `assumed` is --yes or --dry-run. */
  confirm(question: string, assumed: boolean | undefined): Promise<void>;
  /** Like confirm, for actions that cannot be undone: the operator types the name. */
  confirmByTyping(deed: string, name: string, assumed: boolean | undefined): Promise<void>;
  operatorName(): string;
}

interface GlobalOptions {
  output: Format;
  fields?: string[];
  headers: boolean;
  bom?: boolean;
  quiet?: boolean;
  input: boolean;
  color: boolean;
  envFile?: string;
  databaseUrlFile?: string;
  verbose?: boolean;
}

const isColored = ({ env, stdout }: CliEnvironment, asked: boolean): boolean => {
  if (!asked || env.NO_COLOR || env.FORCE_COLOR === '0') return false;
  return Boolean(env.FORCE_COLOR) || (Boolean(stdout.isTTY) && env.TERM !== 'dumb');
};

const readEnvFile = (path: string): Environment => {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    throw usageError(`--env-file ${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
};

const NO_DATABASE: Environment = {
  DATABASE_URL: undefined,
  DATABASE_DIRECT_URL: undefined,
  DATABASE_DIRECT_URL_FILE: undefined,
  DATABASE_REPLICA_URL: undefined,
  DATABASE_REPLICA_URL_FILE: undefined,
};

const readEnvironment = (env: Environment, { envFile, databaseUrlFile }: GlobalOptions): Environment => {
  const merged = envFile === undefined ? { ...env } : { ...readEnvFile(envFile), ...env };
  if (databaseUrlFile === undefined) return merged;
  return { ...merged, ...NO_DATABASE, DATABASE_URL_FILE: databaseUrlFile };
};

const getUserName = (env: Environment): string => {
  try {
    return userInfo().username;
  } catch {
    // In a container, the user id may have no name.
    return env.USER || `uid ${process.getuid?.() ?? '?'}`;
  }
};

const notConfirmed = (question: string): CliError =>
  new CliError(EXIT.notConfirmed, `Not confirmed: ${question}`, 'Pass --yes to go on without asking.');

export function createCli(program: Command, around: CliEnvironment): Cli {
  const options = () => program.opts<GlobalOptions>();
  const flags = (): OutputFlags => {
    const { output, fields, headers, bom = false, quiet = false, color } = options();
    const isFormatGiven = program.getOptionValueSource('output') !== 'default' || Boolean(around.env.MARKETCTL_OUTPUT);
    return { output, isFormatGiven, fields, headers, bom, quiet, color: isColored(around, color) };
  };
  const mayAsk = () => Boolean(around.stdin.isTTY && around.stderr.isTTY) && options().input;
  const out = createOutput(around.stdout, flags);
  return {
    ...around,
    get signal() {
      around.onSignalTaken?.();
      return around.signal;
    },
    out,
    to: (path, work) =>
      path === '-'
        ? work(out)
        : writeFileAtomic(path, (stream) =>
            work(createOutput(stream, () => ({ ...flags(), color: false, bom: true }))),
          ),
    say: (message) => void (options().quiet || around.stderr.write(`${escapeLines(message)}\n`)),
    environment: () => readEnvironment(around.env, options()),
    isVerbose: () => options().verbose === true,
    isQuiet: () => options().quiet === true,
    isTable: () => options().output === 'table',
    mayAsk,
    async confirm(question, assumed) {
      if (assumed) return;
      if (!mayAsk()) throw notConfirmed(question);
      if (!(await confirm(around, question))) throw new CliError(EXIT.notConfirmed, 'Nothing was changed.');
    },
    async confirmByTyping(deed, name, assumed) {
      if (assumed) return;
      if (!mayAsk()) throw notConfirmed(`${deed}?`);
      const typed = await promptText(around, `${deed}? Type "${escapeControls(name)}" to go on: `);
      if (typed.trim() !== name) throw new CliError(EXIT.notConfirmed, 'That is not the name. Nothing was changed.');
    },
    operatorName: () => `cli:${getUserName(around.env)}@${hostname()}`,
  };
}

const syncDirectory = async (path: string): Promise<void> => {
  const directory = await open(path, 'r');
  await directory.sync().finally(() => directory.close());
};

/**
 * Writes FILE.partial and renames it once all of it is on disk, so FILE is complete or absent. Deletes it when `work`
 * fails. Only the owner can read the file.
 */
async function writeFileAtomic<T>(path: string, work: (stream: WriteStream) => Promise<T>): Promise<T> {
  const partial = `${path}.partial`;
  const stream = createWriteStream(partial, { flags: 'w', mode: 0o600, flush: true });
  await once(stream, 'open').catch((error: NodeJS.ErrnoException) => {
    throw new CliError(EXIT.notFound, `${partial} cannot be written: ${error.code}`);
  });
  // an error between two writes is thrown by the next one, or by `finished`
  stream.on('error', () => {});
  try {
    const result = await work(stream);
    stream.end();
    await finished(stream);
    await rename(partial, path);
    await syncDirectory(dirname(path));
    return result;
  } catch (error) {
    stream.destroy();
    await rm(partial, { force: true });
    throw error;
  }
}
