import { join } from 'node:path';
import { findHelm } from '../chart/helm.ts';
import { findMissingCluster, type Namespace, run, until } from './kubectl.ts';

const CHART = join(import.meta.dirname, '../../helm/tradepost');
export const HOST = 'market.example.com';
export const WEB = 'app.kubernetes.io/name=tradepost';
// The nodes must have these images, or be able to pull them.
export const {
  CLUSTER_IMAGE = 'tradepost:0.1.0',
  CLUSTER_NEXT = CLUSTER_IMAGE,
  POSTGRES_IMAGE = 'postgres:17',
} = process.env;

const { helm, missing: noHelm } = findHelm();

export { helm };

/** The reason why nothing can be installed, if there is one. */
export const findMissing = (): string | undefined => findMissingCluster() ?? noHelm;

const toImageValues = (image: string) => {
  const colon = image.lastIndexOf(':');
  return { repository: image.slice(0, colon), tag: image.slice(colon + 1) };
};

const toValues = (image: string, more: object) =>
  JSON.stringify({
    image: toImageValues(image),
    // All requests of these tests come from one address.
    config: { publicUrl: `https://${HOST}`, xClientId: 'check', rateLimitScale: 1000, logLevel: 'info' },
    secrets: { existingSecret: 'tradepost-secrets' },
    networkPolicy: { enabled: true },
    ...more,
  });

export const secretOf = (name: string, stringData: Record<string, string>) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData });

/** Installs or upgrades the chart with these values over those of every test, and waits until it is ready. */
export const release = (
  space: Namespace,
  verb: 'install' | 'upgrade',
  { image, values }: { image: string; values: object },
  ...options: string[]
) => {
  const args = [verb, 'tradepost', CHART, '--namespace', space.name, '--values', '-', '--wait', ...options];
  return run(helm, args, toValues(image, values));
};

const isReady = (pod: { status: { conditions?: { type: string; status: string }[] } }): boolean =>
  pod.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

export const getWebPods = async (space: Namespace) =>
  (await space.get('pods', '--selector', WEB)).filter(({ metadata }) => !metadata.deletionTimestamp);

export const untilTwoReady = (space: Namespace) =>
  until(async () => {
    const pods = await getWebPods(space);
    return pods.length === 2 && pods.every(isReady);
  });

export const countRestarts = async (space: Namespace): Promise<number> =>
  (await getWebPods(space)).reduce((sum, { status }) => sum + status.containerStatuses[0].restartCount, 0);

/** Fetches a page from the pod "visitor", as an ingress controller would. */
export const fetchPage = (space: Namespace, path: string): Promise<string> => {
  const script = `const call = require('node:http').get({ host: 'tradepost', path: '${path}', headers: { Host: '${HOST}' } }, (it) => it.pipe(process.stdout));
    call.once('error', (error) => { console.error(error.message); process.exit(1); });`;
  return space.kubectl('exec', 'visitor', '--', 'node', '-e', script);
};

/** Counts of the marketplace's ads, people and so on. */
export const readStats = async (space: Namespace): Promise<Record<string, unknown>> =>
  JSON.parse(await space.marketctl('stats', 'show', '-o', 'json'));
