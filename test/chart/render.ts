import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';

export const CHART = join(import.meta.dirname, '../../helm/tradepost');

/** The value files of ci/. Each is a supported way to install the chart. */
export const valueFiles = readdirSync(join(CHART, 'ci')).sort();

// biome-ignore lint/suspicious/noExplicitAny: a manifest may be any kind; kubernetes.ts checks which fields it has
export type Manifest = Record<string, any>;
export interface Rendering {
  status: number;
  text: string;
  error: string;
}

/** Runs `helm template` with ci/`file` and overrides from `values`. */
export const render = (helm: string, file: string, values: object = {}): Rendering => {
  const args = [
    'template',
    'shop',
    CHART,
    '--namespace',
    'market',
    '--values',
    join(CHART, 'ci', file),
    '--values',
    '-',
  ];
  const run = spawnSync(helm, args, { input: stringify(values), encoding: 'utf8', maxBuffer: 64 << 20 });
  return { status: run.status ?? 1, text: run.stdout, error: run.stderr };
};

const readManifests = (text: string): Manifest[] =>
  parseAllDocuments(text)
    .map((document) => {
      if (document.errors[0]) throw document.errors[0];
      return document.toJS() as Manifest | null;
    })
    .filter((manifest) => manifest !== null);

/** The manifests of an installation with ci/`file` and overrides from `values`. Throws helm's message. */
export const manifestsOf = (helm: string, file: string, values: object = {}): Manifest[] => {
  const { status, text, error } = render(helm, file, values);
  if (status !== 0) throw new Error(error);
  return readManifests(text);
};

export const findKind = (manifests: Manifest[], kind: string): Manifest | undefined =>
  manifests.find((it) => it.kind === kind);
