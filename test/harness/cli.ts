import { Readable, Writable } from 'node:stream';
import { runMarketctl } from '../../cli/marketctl.ts';
import type { Environment } from '../../server/config/load.ts';

export interface CliRun {
  code: number;
  stdout: string;
  stderr: string;
  /** stdout as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: each command prints another shape, and its test says which
  json: () => any;
  /** stdout's lines. */
  lines: string[];
}

export interface CliSurroundings {
  env?: Environment;
  stdin?: string;
  /** Pretends to be a terminal this wide. */
  columns?: number;
  signal?: AbortSignal;
}

const collect = (columns: number | undefined) => {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY: columns !== undefined, columns }), text: () => text };
};

/** Runs marketctl in this process, as in a pipe unless told a terminal's width; `args` are split at blanks. */
export const runCli = async (args: string | readonly string[], around: CliSurroundings = {}): Promise<CliRun> => {
  const { env = {}, stdin = '', columns, signal = new AbortController().signal } = around;
  const [out, err] = [collect(columns), collect(columns)];
  const list = typeof args === 'string' ? args.split(' ').filter(Boolean) : args;
  const input = Object.assign(Readable.from(stdin === '' ? [] : [stdin]), { isTTY: false });
  const code = await runMarketctl(list, { env, stdin: input, stdout: out.stream, stderr: err.stream, signal });
  const stdout = out.text();
  const lines = stdout.split(/\r?\n/).filter(Boolean);
  return { code, stdout, stderr: err.text(), json: () => JSON.parse(stdout), lines };
};
