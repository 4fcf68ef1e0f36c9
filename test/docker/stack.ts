import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { docker, dockerMeanwhile, IMAGE, mustDocker, ROOT, runMeanwhile, VERSION } from './docker.ts';

export interface Stack {
  directory: string;
  env: Record<string, string>;
  /** Runs `docker compose …`. Throws on failure. */
  compose(...args: string[]): string;
  /** The same, but does not throw. */
  tryCompose(...args: string[]): { status: number | null; said: string };
  /** The same without blocking the event loop. */
  composeMeanwhile(...args: string[]): Promise<string>;
  /** Runs `docker compose up --detach --wait`. On failure throws the logs of the containers. */
  up(...args: string[]): Promise<void>;
  /** Runs a script of deploy/ as an operator would, without blocking the event loop. */
  script(path: string, env?: Record<string, string>): Promise<string>;
  marketctl(...args: string[]): string;
  sql(statement: string): string;
  secret(name: string): string;
  close(): void;
}

/** Creates an operator's folder: the compose files and deploy/, after deploy/compose/init.sh. */
export function openStack(name: string, publicUrl: string, files: string[] = []): Stack {
  const directory = mkdtempSync(join(tmpdir(), `tradepost-${name}-`));
  for (const path of ['docker-compose.yml', 'deploy', 'helm/tradepost/files'])
    cpSync(join(ROOT, path), join(directory, path), { recursive: true, filter: (from) => !from.endsWith('/secrets') });
  const env: Record<string, string> = {
    COMPOSE_PROJECT_NAME: `tradepost-check-${name}`,
    COMPOSE_FILE: ['docker-compose.yml', ...files].join(':'),
    IMAGE,
    VERSION,
    PORT: '0',
  };
  const init = spawnSync(join(directory, 'deploy/compose/init.sh'), [publicUrl], {
    encoding: 'utf8',
    env: { ...process.env, X_CLIENT_ID: 'check', X_CLIENT_SECRET: 'check-secret' },
  });
  if (init.status !== 0) throw new Error(init.stdout + init.stderr);
  const args = (rest: string[]) => ['compose', '--project-directory', directory, ...filesOf(directory, env), ...rest];
  const compose = (...rest: string[]) => mustDocker(args(rest), env);
  const tryCompose = (...rest: string[]) => {
    const { status, stdout, stderr } = docker(args(rest), env);
    return { status, said: stdout + stderr };
  };
  const composeMeanwhile = (...rest: string[]) => dockerMeanwhile(args(rest), env);
  return {
    directory,
    env,
    compose,
    tryCompose,
    composeMeanwhile,
    async up(...rest) {
      try {
        await composeMeanwhile('up', '--detach', '--wait', ...rest);
      } catch (error) {
        const output = [tryCompose('ps', '--all'), tryCompose('logs', '--tail', '30')].map(({ said }) => said);
        throw new Error([(error as Error).message, ...output].join('\n'));
      }
    },
    script: (path, more = {}) => runMeanwhile(join(directory, path), [], { ...env, ...more }, directory),
    marketctl: (...rest) => compose('exec', '-T', 'app', 'marketctl', ...rest),
    sql: (statement) => compose('exec', '-T', 'db', 'psql', '-U', 'tradepost', '-qAtc', statement),
    secret: (secret) => readFileSync(join(directory, 'deploy/compose/secrets', secret), 'utf8'),
    close() {
      docker(args(['down', '--volumes', '--timeout', '1']), env);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

// Relative paths in COMPOSE_FILE start at the current directory.
const filesOf = (directory: string, env: Record<string, string>): string[] =>
  (env.COMPOSE_FILE ?? '')
    .split(':')
    .flatMap((file) => ['--file', file.startsWith('/') ? file : join(directory, file)]);

export const addToEnv = (stack: Stack, variables: Record<string, string>): void => {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(stack.directory, '.env'), lines.join(''), { flag: 'a' });
};
