import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');
export const IMAGE = 'tradepost-check';
export const VERSION = '0.1.0';

export const docker = (args: string[], env: NodeJS.ProcessEnv = {}): SpawnSyncReturns<string> =>
  spawnSync('docker', args, { cwd: ROOT, encoding: 'utf8', env: { ...process.env, ...env }, maxBuffer: 64 << 20 });

export const mustDocker = (args: string[], env?: NodeJS.ProcessEnv): string => {
  const { status, stdout, stderr, error } = docker(args, env);
  if (status !== 0) throw new Error(`docker ${args.join(' ')}\n${error?.message ?? ''}${stdout}${stderr}`);
  return stdout.trim();
};

const endOf = (said: string): string => said.split('\n').slice(-120).join('\n');

/** Runs a program without blocking the event loop, because requests may be running. On failure throws the output. */
export const runMeanwhile = (
  program: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
  cwd = ROOT,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: { ...process.env, ...env } });
    let said = '';
    child.stdout.on('data', (chunk) => (said += chunk));
    child.stderr.on('data', (chunk) => (said += chunk));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve(said) : reject(new Error(`${program} ${args.join(' ')} ended with ${code}\n${endOf(said)}`)),
    );
  });

export const dockerMeanwhile = (args: string[], env?: NodeJS.ProcessEnv): Promise<string> =>
  runMeanwhile('docker', args, env);

export const inspect = (what: string, format: string): string => mustDocker(['inspect', '--format', format, what]);

export const canHave = (image: string): boolean =>
  docker(['image', 'inspect', image]).status === 0 || docker(['pull', '--quiet', image]).status === 0;

export const findMissing = (): string | undefined => {
  if (docker(['version']).status !== 0) return 'no Docker engine answers';
  if (docker(['compose', 'version']).status !== 0) return 'docker compose is not installed';
  const missing = ['node:26-bookworm-slim', 'postgres:17'].filter((image) => !canHave(image));
  return missing.length > 0 ? `cannot pull ${missing.join(' and ')}` : undefined;
};
