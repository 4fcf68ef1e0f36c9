import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Cli } from './cli.ts';
import type { CliEnvironment } from './environment.ts';
import { CliError, EXIT, usageError } from './errors.ts';

type Terminal = Pick<CliEnvironment, 'stdin' | 'stderr' | 'signal'>;

/** Asks on stderr, so that stdout stays data. */
export const promptText = async ({ stdin, stderr, signal }: Terminal, question: string): Promise<string> => {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: stdin, output: stderr, terminal: true });
  try {
    return await lines.question(question, { signal });
  } finally {
    lines.close();
  }
};

/** True for y or yes. */
export const confirm = async (terminal: Terminal, question: string): Promise<boolean> =>
  /^y(es)?$/i.test((await promptText(terminal, `${question} [y/N] `)).trim());

/** A line that does not appear on the terminal. */
export const promptSecret = async ({ stdin, stderr, signal }: Terminal, question: string): Promise<string> => {
  const { createInterface } = await import('node:readline/promises');
  const { Writable } = await import('node:stream');
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  // turns the terminal's echo off; only then may anybody be asked
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true });
  stderr.write(question);
  try {
    return await lines.question('', { signal });
  } finally {
    lines.close();
    stderr.write('\n');
  }
};

export interface PasswordOptions {
  passwordStdin?: boolean;
  passwordFile?: string;
  generate?: boolean;
}

/** Ways to give a password; never on the command line, where every user of the machine could read it. */
export const addPasswordOptions = (leaf: Command): Command =>
  leaf
    .option('--password-stdin', 'read the password from standard input')
    .option('--password-file <file>', 'read the password from this file')
    .option('--generate', 'make one and print it, alone and once, on stdout');

const firstLine = (text: string): string => text.replace(/\r?\n[\s\S]*$/, '');

const readStdin = async ({ stdin }: Cli): Promise<string> => {
  let text = '';
  for await (const chunk of stdin) text += chunk;
  return firstLine(text);
};

const readPasswordFile = async (file: string): Promise<string> => {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CliError(EXIT.notFound, `--password-file ${file} cannot be read: ${error.code}`);
  });
  return firstLine(text);
};

const askTwice = async (cli: Cli): Promise<string> => {
  if (!cli.mayAsk())
    throw usageError('No password given.', 'Use --password-stdin, --password-file FILE or --generate.');
  const password = await promptSecret(cli, 'Password: ');
  if (password !== (await promptSecret(cli, 'Once more: ')))
    throw usageError('The two passwords differ. Nothing was changed.');
  return password;
};

/** The new password by the way that was chosen, else by asking twice on the terminal. */
export async function readNewPassword(cli: Cli, options: PasswordOptions): Promise<string> {
  const { passwordStdin, passwordFile, generate } = options;
  const ways = [passwordStdin, passwordFile, generate].filter((way) => way !== undefined).length;
  if (ways > 1) throw usageError('Give one of --password-stdin, --password-file and --generate.');
  if (generate) return randomBytes(18).toString('base64url');
  if (passwordStdin) return readStdin(cli);
  return passwordFile === undefined ? askTwice(cli) : readPasswordFile(passwordFile);
}
