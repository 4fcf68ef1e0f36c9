import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Namespace, until } from './kubectl.ts';

interface Result {
  requests: number;
  failed: number;
  /** The first ones. */
  failures: string[];
}

const SECURITY = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  runAsNonRoot: true,
  runAsUser: 10001,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
};

/** A pod that runs `command` with the application's image, under the level "restricted". */
export const toPod = (
  name: string,
  image: string,
  command: string[],
  more: { env?: object[]; mounts?: object[]; volumes?: object[] } = {},
) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: name } },
    spec: {
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 1,
      securityContext: { fsGroup: 10001 },
      containers: [
        {
          name,
          image,
          imagePullPolicy: 'IfNotPresent',
          command,
          env: more.env ?? [],
          securityContext: SECURITY,
          // Otherwise the other pods of a busy node leave it no time.
          resources: { requests: { cpu: '250m', memory: '64Mi' } },
          volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }, ...(more.mounts ?? [])],
        },
      ],
      volumes: [{ name: 'tmp', emptyDir: {} }, ...(more.volumes ?? [])],
    },
  });

/**
 * Reads pages from a pod through the Service during `work`, before and after it, until there were `atLeast` requests.
 * `host` is the public address's.
 */
export async function readDuring(
  space: Namespace,
  { image, host, atLeast }: { image: string; host: string; atLeast: number },
  work: () => Promise<unknown>,
): Promise<Result> {
  const script = readFileSync(join(import.meta.dirname, 'load.mjs'), 'utf8');
  const files = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'load' }, data: { 'load.mjs': script } };
  await space.apply(JSON.stringify(files));
  const env = Object.entries({ ORIGIN: 'http://tradepost', HOST: host, AT_LEAST: String(atLeast) });
  const pod = toPod('load', image, ['node', '/load/load.mjs'], {
    env: env.map(([name, value]) => ({ name, value })),
    mounts: [{ name: 'load', mountPath: '/load' }],
    volumes: [{ name: 'load', configMap: { name: 'load' } }],
  });
  await space.apply(pod);
  const readResult = async (): Promise<Result> => JSON.parse(await space.kubectl('logs', 'load', '--tail=1'));
  try {
    await until(async () => (await readResult()).requests > 200);
    await work();
    await space.kubectl('exec', 'load', '--', 'touch', '/tmp/stop');
    await space.kubectl('wait', 'pod/load', '--for=jsonpath={.status.phase}=Succeeded', '--timeout=20m');
    const result = await readResult();
    console.log(`${result.requests} requests, ${result.failed} failed`);
    return result;
  } finally {
    await space.kubectl('delete', 'pod/load', 'configmap/load', '--wait');
  }
}
