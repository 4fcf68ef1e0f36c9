import type { Manifest } from './render.ts';

/** The pod that a manifest makes, if it makes any. */
export const podOf = (manifest: Manifest): Manifest | undefined => {
  const { kind, spec } = manifest;
  if (kind === 'Pod') return spec;
  if (kind === 'CronJob') return spec.jobTemplate.spec.template.spec;
  return ['Deployment', 'Job'].includes(kind) ? spec.template.spec : undefined;
};

/** Every container of every pod, named for a failure's message. */
export const containersOf = (manifests: Manifest[]): { name: string; pod: Manifest; container: Manifest }[] =>
  manifests.flatMap((manifest) => {
    const pod = podOf(manifest);
    return [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])].map((container) => ({
      name: `${manifest.kind}/${manifest.metadata.name}/${container.name}`,
      pod: pod!,
      container,
    }));
  });

/** The settings a container starts with, as names: env, and the ConfigMap of the release behind envFrom. */
export const settingsOf = (container: Manifest, manifests: Manifest[]): string[] => {
  const maps = (container.envFrom ?? []).map((from: Manifest) => from.configMapRef?.name);
  const config = manifests.filter(({ kind, metadata }) => kind === 'ConfigMap' && maps.includes(metadata.name));
  return [...container.env.map((it: Manifest) => it.name), ...config.flatMap(({ data }) => Object.keys(data))];
};
