import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import type { CliEnvironment } from './environment.ts';
import { refuseUnreadable, usageError } from './errors.ts';

type Terminal = Pick<CliEnvironment, 'stdin' | 'stderr' | 'signal'>;
type AskingTerminal = Terminal & { mayAsk(): boolean };

// Uses Node's readline, because @inquirer/prompts redraws each question with control sequences and hides the cursor.
const ask = async ({ stdin, signal }: Terminal, output: Writable, question: string): Promise<string> => {
  const lines = createInterface({ input: stdin, output, terminal: true });
  try {
    return await lines.question(question, { signal });
  } finally {
    lines.close();
  }
};

export const promptText = (terminal: Terminal, question: string): Promise<string> =>
  ask(terminal, terminal.stderr, question);

export const confirm = async (terminal: Terminal, question: string): Promise<boolean> =>
  /^y(es)?$/i.test((await promptText(terminal, `${question} [y/N] `)).trim());

const promptSecret = (terminal: Terminal, question: string): Promise<string> => {
  const echo = new Writable({ write: (_chunk, _encoding, done) => done() });
  // The interface turns the terminal's echo off, so it must exist before the question is printed.
  const answer = ask(terminal, echo, '').finally(() => terminal.stderr.write('\n'));
  terminal.stderr.write(question);
  return answer;
};

export const readStdin = async ({ stdin }: Pick<Terminal, 'stdin'>): Promise<string> => {
  let text = '';
  for await (const chunk of stdin) text += chunk;
  return text;
};

export interface PasswordOptions {
  passwordStdin?: boolean;
  passwordFile?: string;
  generate?: boolean;
}

/** Passwords never appear on the command line, where every user of the machine can read them. */
export const addPasswordOptions = (leaf: Command): Command =>
  leaf
    .option('--password-stdin', 'read the password from standard input')
    .option('--password-file <file>', 'read the password from this file')
    .option('--generate', 'make one and print it, alone and once, on stdout');

const firstLine = (text: string): string => text.replace(/\r?\n[\s\S]*$/, '');

const readPasswordFile = (file: string): Promise<string> =>
  readFile(file, 'utf8').then(firstLine, refuseUnreadable(`--password-file ${file}`));

const askTwice = async (cli: AskingTerminal): Promise<string> => {
  if (!cli.mayAsk())
    throw usageError('No password given.', 'Use --password-stdin, --password-file FILE or --generate.');
  const password = await promptSecret(cli, 'Password: ');
  if (password !== (await promptSecret(cli, 'Once more: ')))
    throw usageError('The two passwords differ. Nothing was changed.');
  return password;
};

export async function readNewPassword(cli: AskingTerminal, options: PasswordOptions): Promise<string> {
  const { passwordStdin, passwordFile, generate } = options;
  const ways = [passwordStdin, passwordFile, generate].filter((way) => way !== undefined).length;
  if (ways > 1) throw usageError('Give one of --password-stdin, --password-file and --generate.');
  if (generate) return randomBytes(18).toString('base64url');
  if (passwordStdin) return firstLine(await readStdin(cli));
  return passwordFile === undefined ? askTwice(cli) : readPasswordFile(passwordFile);
}

const EVERY_MS = 5000;
const REDRAW_MS = 100;
const BAR = 24;

export interface Progress {
  at(done: number, total?: number): void;
  end(): void;
}

const percent = (done: number, total: number): string => `${Math.floor((done / Math.max(total, 1)) * 100)}%`;

const toBar = (what: string, done: number, total: number | undefined): string => {
  if (total === undefined) return `${what} ${done}`;
  const full = Math.min(BAR, Math.floor((done / Math.max(total, 1)) * BAR));
  return `${what} ${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${done}/${total} ${percent(done, total)}`;
};

/**
 * Shows progress on stderr: a bar on a terminal, else a line every five seconds. Not cli-progress: in a
 * pipe it prints a line at the start, and on a terminal it hides the cursor.
 */
export function startProgress(cli: Pick<Terminal, 'stderr'> & { isQuiet(): boolean }, what: string): Progress {
  const { stderr } = cli;
  const isTerminal = Boolean(stderr.isTTY);
  let last = isTerminal ? 0 : performance.now();
  let drawn = false;
  return {
    at(done, total) {
      const now = performance.now();
      if (cli.isQuiet() || now - last < (isTerminal ? REDRAW_MS : EVERY_MS)) return;
      last = now;
      if (!isTerminal) return void stderr.write(`${what}: ${done}${total === undefined ? '' : ` of ${total}`}\n`);
      drawn = true;
      stderr.write(`\r\u001B[K${toBar(what, done, total)}`);
    },
    end() {
      if (drawn) stderr.write('\r\u001B[K');
      drawn = false;
    },
  };
}

/** Clears the bar before each row, so that the two never share a line. */
export async function* clearBeforeEach<T>({ end }: Progress, rows: AsyncIterable<T>): AsyncIterable<T> {
  for await (const row of rows) {
    end();
    yield row;
  }
  end();
}
