import type { Manifest } from './render.ts';

export const podOf = (manifest: Manifest): Manifest | undefined => {
  const { kind, spec } = manifest;
  if (kind === 'Pod') return spec;
  if (kind === 'CronJob') return spec.jobTemplate.spec.template.spec;
  return ['Deployment', 'Job'].includes(kind) ? spec.template.spec : undefined;
};

export const containersOf = (manifests: Manifest[]): { name: string; pod: Manifest; container: Manifest }[] =>
  manifests.flatMap((manifest) => {
    const pod = podOf(manifest);
    return [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])].map((container) => ({
      name: `${manifest.kind}/${manifest.metadata.name}/${container.name}`,
      pod: pod!,
      container,
    }));
  });

/** The names of a container's settings: env, and the release's ConfigMap from envFrom. */
export const settingsOf = (container: Manifest, manifests: Manifest[]): string[] => {
  const maps = (container.envFrom ?? []).map((from: Manifest) => from.configMapRef?.name);
  const config = manifests.filter(({ kind, metadata }) => kind === 'ConfigMap' && maps.includes(metadata.name));
  return [...container.env.map((it: Manifest) => it.name), ...config.flatMap(({ data }) => Object.keys(data))];
};
