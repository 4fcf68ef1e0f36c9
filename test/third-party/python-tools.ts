import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');

export type PythonTools = { bin: string; problem?: never } | { bin?: never; problem: string };

/**
 * Installs the tools of requirements.txt into a virtual environment outside of the checkout, once for each version of that
 * file. Returns the folder of their commands, or why they cannot be had.
 */
export function ensurePythonTools(): PythonTools {
  const version = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 12);
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tradepost-python', version);
  const bin = join(folder, 'bin');
  const stamp = join(folder, 'installed');
  if (existsSync(stamp)) return { bin };
  const run = (command: string, args: string[]): boolean =>
    spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
  rmSync(folder, { recursive: true, force: true });
  if (!run('python3', ['-m', 'venv', folder])) return { problem: 'python3 with its venv module is not to be had here' };
  const pip = ['install', '--quiet', '--disable-pip-version-check', '--no-deps', '--requirement', REQUIREMENTS];
  if (!run(join(bin, 'pip'), pip))
    return { problem: 'the packages of test/third-party/requirements.txt cannot be installed here' };
  writeFileSync(stamp, '');
  return { bin };
}
