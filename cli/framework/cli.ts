import { readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { parseEnv } from 'node:util';
import type { Command } from 'commander';
import type { Environment } from '../../server/config/load.ts';
import type { CliEnvironment } from './environment.ts';
import { CliError, EXIT, usageError } from './errors.ts';
import { createOutput, type Format, type Output, type OutputFlags } from './output.ts';
import { escapeControls, escapeLines } from './output-format.ts';
import { confirm, promptText } from './prompts.ts';

/** Options that every command takes. */
interface GlobalOptions {
  output: Format;
  fields?: string[];
  headers: boolean;
  quiet?: boolean;
  input: boolean;
  color: boolean;
  envFile?: string;
  databaseUrlFile?: string;
  verbose?: boolean;
}

/** What a command has at hand. */
export interface Cli extends CliEnvironment {
  out: Output;
  /** The same formats into a file; the file appears when all of it is written. */
  toFile<T>(path: string, work: (out: Output) => Promise<T>): Promise<T>;
  /** Words for the operator, on stderr; --quiet keeps them away. */
  say(message: string): void;
  /** The environment with --env-file and --database-url-file. */
  environment(): Environment;
  isVerbose(): boolean;
  isQuiet(): boolean;
  /** Output is for people. */
  isTable(): boolean;
  /** Questions may be asked: there is a terminal, and --no-input was not given. */
  mayAsk(): boolean;
  /** Goes on after a yes, else ends the command with exit code 7. `assumed` is --yes or --dry-run. */
  confirm(question: string, assumed: boolean | undefined): Promise<void>;
  /** Like confirm, for what cannot be undone: the name has to be typed. */
  confirmByTyping(deed: string, name: string, assumed: boolean | undefined): Promise<void>;
  /** Who acts, for the audit log: cli:USER@HOST. */
  operatorName(): string;
}

const colorful = ({ env, stdout }: CliEnvironment, asked: boolean): boolean => {
  if (!asked || env.NO_COLOR) return false;
  return Boolean(env.FORCE_COLOR) || (Boolean(stdout.isTTY) && env.TERM !== 'dumb');
};

const readEnvFile = (path: string): Environment => {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    throw usageError(`--env-file ${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
};

const readEnvironment = (env: Environment, { envFile, databaseUrlFile }: GlobalOptions): Environment => {
  const merged = envFile === undefined ? { ...env } : { ...readEnvFile(envFile), ...env };
  if (databaseUrlFile === undefined) return merged;
  // the option decides, whatever the environment says
  return { ...merged, DATABASE_URL: undefined, DATABASE_DIRECT_URL: undefined, DATABASE_URL_FILE: databaseUrlFile };
};

const nameOfUser = (env: Environment): string => {
  try {
    return userInfo().username;
  } catch {
    // a container's user number without a name
    return env.USER || `uid ${process.getuid?.() ?? '?'}`;
  }
};

const notConfirmed = (question: string): CliError =>
  new CliError(EXIT.notConfirmed, `Not confirmed: ${question}`, 'Pass --yes to go on without asking.');

/** Reads the program's options when a command asks: by then they are parsed. */
export function createCli(program: Command, around: CliEnvironment): Cli {
  const options = () => program.opts<GlobalOptions>();
  const flags = (): OutputFlags => {
    const { output, fields, headers, quiet = false, color } = options();
    const isFormatGiven = program.getOptionValueSource('output') !== 'default' || Boolean(around.env.MARKETCTL_OUTPUT);
    return { output, isFormatGiven, fields, headers, quiet, color: colorful(around, color) };
  };
  const mayAsk = () => Boolean(around.stdin.isTTY && around.stderr.isTTY) && options().input;
  return {
    ...around,
    get signal() {
      around.onSignalTaken?.();
      return around.signal;
    },
    out: createOutput(around.stdout, flags),
    async toFile(path, work) {
      const { writeFileAtomic } = await import('./atomic-write.ts');
      return writeFileAtomic(path, (stream) => work(createOutput(stream, flags)));
    },
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
    operatorName: () => `cli:${nameOfUser(around.env)}@${hostname()}`,
  };
}
