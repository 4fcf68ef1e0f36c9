import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { variables } from '../../server/config/schema.ts';
import { findHelm } from './helm.ts';
import { findSchemaErrors, findTypeErrors } from './kubernetes.ts';
import { containersOf, podOf, settingsOf } from './pods.ts';
import { CHART, findKind, type Manifest, manifestsOf, render, valueFiles } from './render.ts';

const { helm, missing } = findHelm();
if (missing) console.log(`SKIPPED: ${missing}`);

describe.skipIf(!helm)('every way to install the chart (ci/)', () => {
  describe.each(valueFiles)('%s', (file) => {
    test('lints strictly', () => {
      execFileSync(helm, ['lint', '--strict', '--quiet', CHART, '--values', `${CHART}/ci/${file}`], { stdio: 'pipe' });
    });

    test('lets the scraper reach the metrics, if there are any', () => {
      const text = render(helm, file).text;
      expect(text.includes('METRICS_HOST: 0.0.0.0')).toBe(/METRICS_PORT: "?9090/.test(text));
    });

    test('renders the same bytes twice', () => {
      expect(render(helm, file).text).toBe(render(helm, file).text);
    });

    test("satisfies the schema of each object's kind", async () => {
      const errors = await Promise.all(manifestsOf(helm, file).map(findSchemaErrors));
      expect(errors.filter(Boolean)).toEqual([]);
    });

    test('runs every container restricted: not as root, nothing to write to, no capabilities, no token', () => {
      for (const { name, pod, container } of containersOf(manifestsOf(helm, file))) {
        expect(container.securityContext, name).toMatchObject({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          runAsNonRoot: true,
          capabilities: { drop: ['ALL'] },
          seccompProfile: { type: 'RuntimeDefault' },
        });
        expect(pod.securityContext, name).toMatchObject({
          runAsNonRoot: true,
          seccompProfile: { type: 'RuntimeDefault' },
        });
        expect(pod.automountServiceAccountToken, name).toBe(false);
      }
    });

    test('names no image "latest", and none without a version', () => {
      for (const { name, container } of containersOf(manifestsOf(helm, file))) {
        expect(container.image, name).toMatch(/:(?!latest$)[^/]+$/);
      }
    });

    test('gives no container a variable twice, nor one that refers to a later one', () => {
      for (const { name, container } of containersOf(manifestsOf(helm, file))) {
        const env: Manifest[] = container.env ?? [];
        const names = env.map((it) => it.name);
        expect(new Set(names).size, name).toBe(names.length);
        for (const [place, { value = '' }] of env.entries()) {
          for (const [, used] of String(value).matchAll(/\$\((\w+)\)/g)) {
            expect(names.slice(0, place), `${name}: ${value}`).toContain(used);
          }
        }
      }
    });

    test('sets only variables that the application reads', () => {
      const known = [...Object.values(variables).map(({ name }) => name), 'CNPG_USERNAME', 'CNPG_PASSWORD'];
      const manifests = manifestsOf(helm, file);
      const ours = containersOf(manifests).filter(({ container }) => container.image.includes('/tradepost'));
      expect(ours.length).toBeGreaterThan(0);
      for (const { container } of ours) {
        for (const name of settingsOf(container, manifests)) expect(known).toContain(name);
      }
    });

    test('gives every object a name of its own, in the namespace of the release', () => {
      const manifests = manifestsOf(helm, file);
      const names = manifests.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
      expect(new Set(names).size).toBe(names.length);
      for (const { kind, metadata } of manifests) {
        if (metadata.name !== 'shop-more') expect(metadata.namespace, kind).toBe('market');
      }
    });

    test("lets a hook refer to nothing that comes after it, and keeps one-shot pods out of the Service's reach", () => {
      const manifests = manifestsOf(helm, file);
      const isHook = (it: Manifest) => /pre-/.test(it.metadata.annotations?.['helm.sh/hook'] ?? '');
      const late = manifests.filter((it) => !isHook(it) && ['Secret', 'ConfigMap', 'ServiceAccount'].includes(it.kind));
      for (const hook of manifests.filter((it) => isHook(it) && podOf(it))) {
        const pod = podOf(hook);
        const text = JSON.stringify(pod);
        for (const { metadata } of late) expect(text).not.toContain(`"name":"${metadata.name}"`);
        expect(pod?.serviceAccountName).toBeUndefined();
      }
      const selector = findKind(manifests, 'Service')?.spec.selector;
      for (const { kind, spec } of manifests) {
        if (kind === 'Job') expect(spec.template.metadata.labels).not.toMatchObject(selector);
      }
    });
  });

  test('has only fields that Kubernetes and the operators know, with the right types', () => {
    expect(findTypeErrors(valueFiles.flatMap((file) => manifestsOf(helm, file)))).toEqual([]);
  });
});

describe.skipIf(!helm)('the checks themselves', () => {
  const broken = (change: (deployment: Manifest) => void): Manifest[] => {
    const manifests = manifestsOf(helm, 'scaled-values.yaml');
    change(findKind(manifests, 'Deployment')!);
    return manifests;
  };
  test.each<[string, (deployment: Manifest) => void]>([
    ['an unknown field of the spec', (it) => Object.assign(it.spec, { replicaz: 3 })],
    ['an unknown field of a container', (it) => Object.assign(it.spec.template.spec.containers[0], { imag: 'x' })],
    [
      'an unknown field of a probe',
      (it) => Object.assign(it.spec.template.spec.containers[0].livenessProbe, { retries: 1 }),
    ],
    ['an unknown field of the metadata', (it) => Object.assign(it.metadata, { label: {} })],
    ['a number where text belongs', (it) => Object.assign(it.metadata.labels, { version: 3 })],
    ['an unknown kind', (it) => Object.assign(it, { kind: 'Deploymint' })],
  ])('notice %s', (_what, change) => {
    expect(findTypeErrors(broken(change))).not.toEqual([]);
  });
});
