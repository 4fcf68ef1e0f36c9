import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

/** Runs a command of the checkout on the pinned Node, with its output shown as it comes. Returns whether it succeeded. */
export const runCommand = async (command: string, env: NodeJS.ProcessEnv = {}): Promise<boolean> => {
  const child = spawn(command, {
    shell: true,
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env, PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}` },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
};
