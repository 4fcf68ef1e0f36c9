import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findHelm } from '../chart/helm.ts';
import { podOf } from '../chart/pods.ts';
import { findKind, type Manifest, manifestsOf, valueFiles } from '../chart/render.ts';
import { createNamespace, findMissingCluster, type Namespace, run } from './kubectl.ts';

const { helm, missing: noHelm } = findHelm();
const missing = findMissingCluster() ?? noHelm;
if (missing) console.log(`SKIPPED: ${missing}`);

/** Of scaled-values.yaml. Pods whose class does not exist are refused. */
const PRIORITY_CLASS = 'tradepost-shop';

/** Creates the objects without storing them. The API server refuses unknown fields; its warnings are errors, too. */
const tryCreate = ({ name: namespace }: Namespace, manifests: Manifest[]): Promise<string> => {
  const items = manifests.map((manifest) => ({ ...manifest, metadata: { ...manifest.metadata, namespace } }));
  const flags = ['--dry-run=server', '--validate=strict', '--warnings-as-errors', '--output=name', '--filename=-'];
  return run('kubectl', ['create', ...flags], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
};

const SNAPSHOTS = 'snapshot.storage.k8s.io/v1';

/** The groups that a cluster must have. The operator refuses backups by snapshots where there are none. */
const listNeeded = ({ apiVersion, spec }: Manifest): string[] =>
  spec?.method === 'volumeSnapshot' ? [apiVersion, SNAPSHOTS] : [apiVersion];

describe.skipIf(missing)('the API server', () => {
  let space: Namespace;
  let served: string[];
  const isServed = (manifest: Manifest) => listNeeded(manifest).every((group) => served.includes(group));

  beforeAll(async () => {
    space = await createNamespace('tradepost-dry-run');
    // It then also warns of a Deployment or Job whose pods would be refused.
    await run('kubectl', ['label', 'namespace', space.name, 'pod-security.kubernetes.io/warn=restricted']);
    await run('kubectl', ['create', 'priorityclass', PRIORITY_CLASS, '--value=1']);
    served = (await run('kubectl', ['api-versions'])).split('\n');
  });
  afterAll(async () => {
    await run('kubectl', ['delete', 'priorityclass', PRIORITY_CLASS, '--ignore-not-found']);
    await run('kubectl', ['delete', 'namespace', space.name, '--ignore-not-found', '--wait']);
  });

  test.each(valueFiles)('accepts what %s renders, without a warning', async (file) => {
    const manifests = manifestsOf(helm, file);
    const accepted = await tryCreate(space, manifests.filter(isServed));
    expect(accepted.trim().split('\n')).toHaveLength(manifests.filter(isServed).length);
    const rest = manifests.filter((manifest) => !isServed(manifest)).map(({ kind }) => kind);
    if (rest.length > 0) console.log(`${file}: not installed in this cluster: ${[...new Set(rest)].join(', ')}`);
  });

  test.each<[string, (deployment: Manifest) => void, RegExp]>([
    ['an unknown field', (it) => Object.assign(it.spec, { replicaz: 3 }), /unknown field "(spec\.)?replicaz"/],
    [
      'a port out of range',
      (it) => Object.assign(podOf(it)!.containers[0].ports[0], { containerPort: 70_000 }),
      /70000/,
    ],
    [
      'pods that run as root',
      (it) => Object.assign(podOf(it)!.securityContext, { runAsNonRoot: false }),
      /PodSecurity/,
    ],
  ])('refuses %s', async (_what, change, message) => {
    const deployment = findKind(manifestsOf(helm, 'scaled-values.yaml'), 'Deployment')!;
    change(deployment);
    await expect(tryCreate(space, [deployment])).rejects.toThrow(message);
  });
});
