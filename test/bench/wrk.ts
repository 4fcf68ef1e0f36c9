import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Load {
  url: string;
  headers?: Record<string, string>;
  paths?: readonly string[];
  connections?: number;
}

export interface LoadResult {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Responses other than 2xx and 3xx, and broken connections. */
  failed: number;
}

const UNITS: Record<string, number> = { us: 0.001, ms: 1, s: 1000 };
const toMs = (text = '0ms') => Number.parseFloat(text) * UNITS[text.replace(/[\d.]+/, '')]!;

/** Runs wrk with one thread, which leaves the other core to the server. */
export async function load(
  { url, headers = {}, paths, connections = 32 }: Load,
  seconds: number,
  directory: string,
): Promise<LoadResult> {
  const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const script = paths ? ['-s', await writeScript(paths, directory)] : [];
  const { stdout } = await run('wrk', [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--latency',
    ...fields,
    ...script,
    url,
  ]);
  const failed = Number(/Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] ?? 0) + sumErrors(stdout);
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
    p50Ms: toMs(/^ +50% +(\S+)/m.exec(stdout)?.[1]),
    p99Ms: toMs(/^ +99% +(\S+)/m.exec(stdout)?.[1]),
    failed,
  };
}

const sumErrors = (text: string) =>
  (/Socket errors: (.*)/.exec(text)?.[1]?.match(/\d+/g) ?? []).reduce((sum, count) => sum + Number(count), 0);

async function writeScript(paths: readonly string[], directory: string): Promise<string> {
  const file = join(directory, 'paths.lua');
  const list = paths.map((path) => JSON.stringify(path)).join(',');
  await writeFile(
    file,
    `local paths = {${list}}\nlocal i = 0\nrequest = function()\n  i = i % #paths + 1\n  return wrk.format(nil, paths[i])\nend\n`,
  );
  return file;
}
