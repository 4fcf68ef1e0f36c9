import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from './render.ts';

const ROOT = join(import.meta.dirname, '../..');
const WORK = join(ROOT, '.cache/chart');

const moduleOf = ({ apiVersion, kind }: Manifest): string => {
  const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
  const owners: Record<string, string> = {
    'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
    'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
    'postgresql.cnpg.io': '@kubernetes-models/cloudnative-pg',
  };
  return `${owners[group] ?? 'kubernetes-models'}/${apiVersion}/${kind}`;
};

/**
 * Finds type errors that Kubernetes would refuse: wrong types, missing fields, and unknown fields (by TypeScript's
 * excess property check). Returns tsc's line for each error.
 */
export const findTypeErrors = (manifests: Manifest[]): string[] => {
  mkdirSync(WORK, { recursive: true });
  const lines = manifests.map((manifest, index) => {
    const type = `import('${moduleOf(manifest)}').I${manifest.kind}`;
    return `export const m${index}: ${type} =\n${JSON.stringify(manifest, null, 1)};`;
  });
  writeFileSync(join(WORK, 'manifests.ts'), `${lines.join('\n')}\n`);
  writeFileSync(
    join(WORK, 'tsconfig.json'),
    JSON.stringify({ extends: join(ROOT, 'tsconfig.base.json'), files: ['manifests.ts'] }),
  );
  const run = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', WORK, '--pretty', 'false'], { encoding: 'utf8' });
  if (run.status === 0) return [];
  const errors = (run.stdout + run.stderr).split('\n').filter((line) => line.includes('error TS'));
  return errors.length > 0 ? errors : [`tsc failed: ${run.stdout}${run.stderr}`];
};

/** Finds violations of the kind's schema beyond types: formats, patterns, ranges, required fields. */
export const findSchemaErrors = async (manifest: Manifest): Promise<string | undefined> => {
  const found = await import(moduleOf(manifest));
  try {
    new found[manifest.kind](manifest).validate();
  } catch (error) {
    return (error as Error).message;
  }
};
