import type { Cli } from './cli.ts';

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
 * Shows progress on stderr: a bar on a terminal, else a line every five seconds. cli-progress also prints a line at
 * the start in a pipe, and hides the terminal's cursor.
 */
export function startProgress(cli: Pick<Cli, 'stderr' | 'isQuiet'>, what: string): Progress {
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
