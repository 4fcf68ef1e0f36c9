import { spawn, spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const endOf = (said: string): string => said.split('\n').slice(-60).join('\n');

/** Returns the reason if `kubectl` is not installed or reaches no cluster. */
export const findMissingCluster = (): string | undefined => {
  const { status, stderr, error } = spawnSync('kubectl', ['get', '--raw', '/readyz', '--request-timeout=10s'], {
    encoding: 'utf8',
  });
  if (error) return 'kubectl is not installed';
  return status === 0 ? undefined : `kubectl reaches no cluster: ${stderr.trim().split('\n').at(-1)}`;
};

/** Runs a program without blocking the event loop. Returns its standard output; on failure throws what it printed. */
export const run = (program: string, args: string[], input = ''): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args);
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(stdout);
      else reject(new Error(`${program} ${args.join(' ')} ended with ${code}\n${endOf(stdout + stderr)}`));
    });
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });

// biome-ignore lint/suspicious/noExplicitAny: objects of Kubernetes are read by path
type KubernetesObject = any;

export interface Namespace {
  name: string;
  kubectl(...args: string[]): Promise<string>;
  apply(manifest: string): Promise<string>;
  /** The items of `kubectl get WHAT`. */
  get(...what: string[]): Promise<KubernetesObject[]>;
  marketctl(...args: string[]): Promise<string>;
  /** Every object in the namespace as `kind/name`, without events and endpoints. */
  listObjects(): Promise<string[]>;
}

const DERIVED = /^(events|endpoints|endpointslices)(\.|$)/;

/** Creates a namespace that admits only pods of the level "restricted". Removes an older one of this name first. */
export const createNamespace = async (name: string): Promise<Namespace> => {
  await run('kubectl', ['delete', 'namespace', name, '--ignore-not-found', '--wait']);
  await run('kubectl', ['create', 'namespace', name]);
  await run('kubectl', ['label', 'namespace', name, 'pod-security.kubernetes.io/enforce=restricted']);
  const kubectl = (...args: string[]) => run('kubectl', ['--namespace', name, ...args]);
  return {
    name,
    kubectl,
    apply: (manifest) => run('kubectl', ['--namespace', name, 'apply', '--filename', '-'], manifest),
    get: async (...what) => {
      const found = JSON.parse(await kubectl('get', ...what, '--output', 'json'));
      return found.items ?? [found];
    },
    marketctl: (...args) => kubectl('exec', 'deploy/tradepost', '-c', 'tradepost', '--', 'marketctl', ...args),
    async listObjects() {
      const kinds = (await run('kubectl', ['api-resources', '--namespaced', '--verbs=list', '--output=name'])).split(
        '\n',
      );
      const kept = kinds.filter((kind) => kind && !DERIVED.test(kind));
      return (await kubectl('get', kept.join(','), '--output', 'name')).trim().split('\n').sort();
    },
  };
};

/** Waits until `wanted` is true. A failing command counts as not yet. */
export const until = async (wanted: () => Promise<boolean>): Promise<void> => {
  while (!(await wanted().catch(() => false))) await sleep(500);
};
