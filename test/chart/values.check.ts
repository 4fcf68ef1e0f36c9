import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type ConfigVariable, variables } from '../../server/config/schema.ts';
import { findHelm } from './helm.ts';
import { CHART, findKind, type Manifest, manifestsOf, render, valueFiles } from './render.ts';

const { helm } = findHelm();

describe.skipIf(!helm)('values that make no sense are refused, and the message names them', () => {
  const NEEDED = {
    image: { repository: '' },
    config: { publicUrl: '', xClientId: null },
    secrets: { existingSecret: '' },
  };
  const INCOMPLETE = { secrets: { existingSecret: '', values: { SESSION_KEYS: 'x'.repeat(32) } } };
  test.each<[string, object, string | RegExp, string?]>([
    ['a misspelt key', { replicas: 3 }, 'replicas'],
    ['a misspelt setting', { config: { publicURL: 'https://market.example.com' } }, 'publicURL'],
    ['a misspelt secret', { secrets: { existingSecretKeys: { SESSION_KEY: 'a' } } }, 'SESSION_KEY'],
    ['text for a number', { replicaCount: 'two' }, 'replicaCount'],
    ['a number for text', { config: { xClientId: 12345 } }, 'xClientId'],
    ['an address with a path', { config: { publicUrl: 'https://example.com/shop' } }, 'publicUrl'],
    ['an unknown image store', { config: { imageStore: 'ftp' } }, 'imageStore'],
    ['an unknown mode of migration', { migrations: { mode: 'sidecar' } }, 'mode'],
    ['the tag latest', { image: { tag: 'latest' } }, 'tag'],
    ['a digest that is none', { image: { digest: 'sha256:abc' } }, 'digest'],
    ['a repository with a tag', { image: { repository: 'example.com/tradepost:1' } }, 'repository'],
    ['an image for backups, which the app makes itself', { backup: { enabled: true, image: 'postgres:17' } }, 'image'],
    ['a negative wait', { config: { shutdownDelay: '-1s' } }, 'shutdownDelay'],
    ["a five-field schedule for CloudNativePG's six", { cnpg: { backup: { schedule: '17 3 * * *' } } }, 'schedule'],
    ['a label that is no text', { commonLabels: { team: 7 } }, 'team'],
    ['extraEnv without a name', { extraEnv: [{ value: 'x' }] }, 'extraEnv'],
    ['nothing of what has to be set', NEEDED, /image\.repository.*publicUrl.*xClientId.*create secret generic/s],
    [
      'two sources of secrets',
      { secrets: { values: { SESSION_KEYS: 'x'.repeat(32) } } },
      'existingSecret and secrets.values',
    ],
    ['inline secrets that lack one', INCOMPLETE, 'X_CLIENT_SECRET is missing'],
    ['one volume for many pods', { replicaCount: 2 }, 'ReadWriteOnce', 'filesystem-values.yaml'],
    ['one volume under autoscaling', { autoscaling: { enabled: true } }, 'ReadWriteOnce', 'filesystem-values.yaml'],
    ['files without a volume', { persistence: { enabled: false } }, 'persistence.enabled', 'filesystem-values.yaml'],
    ['S3 without a bucket', { config: { imageStore: 's3' } }, 's3Bucket'],
    ['a hook before its database', { migrations: { mode: 'hook' } }, 'cnpg', 'cnpg-values.yaml'],
    ['a pooler of nothing', { cnpg: { pooler: { enabled: true } } }, 'cnpg.enabled'],
    ['a grace shorter than the drain', { terminationGracePeriodSeconds: 30 }, 'terminationGracePeriodSeconds'],
    ['a route to no gateway', { httpRoute: { enabled: true } }, 'parentRefs'],
  ])('%s', (_what, values, named, file = 'default-values.yaml') => {
    const { status, error } = render(helm, file, values);
    expect(status).not.toBe(0);
    expect(error).toMatch(named);
  });
});

describe.skipIf(!helm)('what the values mean', () => {
  const deploymentOf = (file: string, values: object = {}) =>
    findKind(manifestsOf(helm, file, values), 'Deployment')!.spec;

  test('the Deployment leaves the number of pods to the autoscaler, where there is one', () => {
    expect(deploymentOf('scaled-values.yaml')).not.toHaveProperty('replicas');
    expect(deploymentOf('default-values.yaml').replicas).toBe(2);
  });

  test("a Deployment's selector never changes, whatever the version and the labels", () => {
    const before = deploymentOf('default-values.yaml').selector;
    const after = deploymentOf('default-values.yaml', {
      image: { tag: '9.9.9' },
      podLabels: { a: 'b' },
      commonLabels: { c: 'd' },
    });
    expect(after.selector).toEqual(before);
    expect(after.template.metadata.labels).toMatchObject(before.matchLabels);
  });

  test('pods roll when a setting or a secret changes, and only then', () => {
    const annotations = (values: object) => deploymentOf('default-values.yaml', values).template.metadata.annotations;
    const before = annotations({});
    expect(annotations({ config: { siteName: 'Bazaar' } })['checksum/config']).not.toBe(before['checksum/config']);
    expect(annotations({ secrets: { revision: '2' } })['checksum/secret']).not.toBe(before['checksum/secret']);
    expect(annotations({ replicaCount: 5 })).toEqual(before);
  });

  test('extraEnv wins over a setting and over a secret', () => {
    const { env } = deploymentOf('existing-secret-values.yaml').template.spec.containers[0];
    expect(env).toContainEqual({ name: 'LOG_LEVEL', value: 'debug' });
    expect(env).toContainEqual({ name: 'SMTP_URL', valueFrom: { secretKeyRef: { name: 'mail', key: 'url' } } });
    expect(env).toContainEqual({
      name: 'SESSION_KEYS',
      valueFrom: { secretKeyRef: { name: 'marketplace', key: 'session-keys' } },
    });
  });

  test('with CloudNativePG, requests go through the pooler, migrations around it, and lists to the standbys', () => {
    const manifests = manifestsOf(helm, 'cnpg-values.yaml');
    const { env } = findKind(manifests, 'Deployment')!.spec.template.spec.containers[0];
    const url = (name: string) => env.find((it: Manifest) => it.name === name).value.split('@')[1];
    expect(url('DATABASE_URL')).toBe('shop-tradepost-db-pooler:5432/tradepost');
    expect(url('DATABASE_DIRECT_URL')).toBe('shop-tradepost-db-rw:5432/tradepost');
    expect(url('DATABASE_REPLICA_URL')).toBe('shop-tradepost-db-ro:5432/tradepost');
    const cluster = findKind(manifests, 'Cluster')!;
    expect(cluster.spec.postgresql.parameters).toEqual({ max_connections: '100', shared_buffers: '1GB' });
    expect(cluster.metadata.annotations['helm.sh/resource-policy']).toBe('keep');
  });

  test('one writable volume means that the pod is replaced, not rolled, and has no disruption budget', () => {
    const manifests = manifestsOf(helm, 'filesystem-values.yaml');
    expect(findKind(manifests, 'Deployment')!.spec.strategy).toEqual({ type: 'Recreate' });
    expect(findKind(manifests, 'PodDisruptionBudget')).toBeUndefined();
  });

  test('no object holds a secret that the values did not hold', () => {
    for (const file of valueFiles) {
      const secrets = manifestsOf(helm, file).filter(({ kind }) => kind === 'Secret');
      expect(secrets.length, file).toBe(file === 'hook-values.yaml' ? 2 : 0);
    }
  });
});

test('values.yaml has every key that the schema knows, at its place', () => {
  const schema = JSON.parse(readFileSync(`${CHART}/values.schema.json`, 'utf8'));
  const keys = (of: Manifest): object =>
    Object.fromEntries(
      Object.entries<Manifest>(of.properties).map(([key, it]) => [
        key,
        it.properties && it.additionalProperties === false ? keys(it) : true,
      ]),
    );
  const values = parse(readFileSync(`${CHART}/values.yaml`, 'utf8'));
  const missing = (wanted: object, at: Manifest, path: string): string[] =>
    Object.entries(wanted).flatMap(([key, inner]) => {
      if (!(key in at)) return [`${path}${key}`];
      return inner === true ? [] : missing(inner, at[key], `${path}${key}.`);
    });
  // Keys that Helm or the user names, secrets listed in a comment, and probes and strategies, which accept any field.
  const optional = /^(global|strategy\.|probes\.|secrets\.(existingSecretKeys|values)\.)/;
  expect(missing(keys(schema), values, '').filter((key) => !optional.test(key))).toEqual([]);
});

test('the chart has a key for every setting of the server', () => {
  // what the image or the chart decides, and what is refused in production
  const fixed = [
    'PORT',
    'HOST',
    'NODE_ENV',
    'MIGRATE_ON_START',
    'METRICS_PORT',
    'METRICS_HOST',
    'IMAGE_DIR',
    'CACHE_DIR',
  ];
  const refused = ['AUTH_TEST_USERS', 'X_MODE', 'X_SANDBOX_URL', 'CLOCK_OFFSET'];
  // right for the resources and volumes of the chart; extraEnv changes them
  const sized = ['CACHE_DISK_MB', 'CACHE_MEMORY_MB'];
  const { config, secrets } = JSON.parse(readFileSync(`${CHART}/values.schema.json`, 'utf8')).properties;
  // as tradepost.config in _env.tpl does
  const settings = Object.keys(config.properties).map((key) =>
    key
      .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .toUpperCase(),
  );
  const given = new Set([...settings, ...fixed, ...refused, ...sized]);
  const ofSecret = new Set(Object.keys(secrets.properties.existingSecretKeys.properties));
  const missing = Object.values<ConfigVariable>(variables).filter(
    ({ name, secret }) => !(secret ? ofSecret : given).has(name),
  );
  expect(missing.map(({ name }) => name)).toEqual([]);
});
