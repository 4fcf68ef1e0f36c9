import type { Surroundings } from './surroundings.ts';

type Terminal = Pick<Surroundings, 'stdin' | 'stderr' | 'signal'>;

/** Asks on stderr, so that stdout stays data. */
export const ask = async ({ stdin, stderr, signal }: Terminal, question: string): Promise<string> => {
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
  /^y(es)?$/i.test((await ask(terminal, `${question} [y/N] `)).trim());

/** A line that does not appear on the terminal. */
export const askSecret = async ({ stdin, stderr, signal }: Terminal, question: string): Promise<string> => {
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
