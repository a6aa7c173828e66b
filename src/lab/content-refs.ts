/** What a pod takes from Secrets and ConfigMaps: in volumes, in projected volumes and in its containers' environment. */
import type { Container, KeyToPath, Pod } from '../../machines/model/objects.ts';

export interface ContentRef {
  readonly kind: 'Secret' | 'ConfigMap';
  readonly name: string;
  /** The keys it asks for by name; none: all there are. */
  readonly keys: readonly string[];
}

/** Every reference that the pod cannot do without: not an optional one, and no volume that no container mounts. */
export function contentRefs(spec: Pod['spec']): ContentRef[] {
  const containers = [...(spec.initContainers ?? []), ...spec.containers];
  const mounted = new Set(containers.flatMap((container) => (container.volumeMounts ?? []).map((mount) => mount.name)));
  return [...(spec.volumes ?? []).filter((volume) => mounted.has(volume.name)).flatMap(ofVolume), ...containers.flatMap(ofContainer)];
}

function ofVolume(volume: NonNullable<Pod['spec']['volumes']>[number]): ContentRef[] {
  const { secret, configMap, projected } = volume;
  // The volume with the pod's token is the cluster's own, and so is the ConfigMap in it.
  if (projected?.sources.some((source) => source.serviceAccountToken !== undefined) === true) return [];
  return [
    ...(secret === undefined ? [] : ref('Secret', secret.secretName, secret)),
    ...(configMap === undefined ? [] : ref('ConfigMap', configMap.name, configMap)),
    ...(projected?.sources ?? []).flatMap((source) => [
      ...(source.secret === undefined ? [] : ref('Secret', source.secret.name, source.secret)),
      ...(source.configMap === undefined ? [] : ref('ConfigMap', source.configMap.name, source.configMap)),
    ]),
  ];
}

function ofContainer(container: Container): ContentRef[] {
  const one = (kind: ContentRef['kind'], source: { readonly name: string; readonly key?: string; readonly optional?: boolean | undefined } | undefined): ContentRef[] =>
    source === undefined || source.optional === true ? [] : [{ kind, name: source.name, keys: source.key === undefined ? [] : [source.key] }];
  return [
    ...(container.env ?? []).flatMap(({ valueFrom }) => [...one('Secret', valueFrom?.secretKeyRef), ...one('ConfigMap', valueFrom?.configMapKeyRef)]),
    ...(container.envFrom ?? []).flatMap((source) => [...one('Secret', source.secretRef), ...one('ConfigMap', source.configMapRef)]),
  ];
}

function ref(kind: ContentRef['kind'], name: string, source: { readonly items?: readonly KeyToPath[] | undefined; readonly optional?: boolean | undefined }): ContentRef[] {
  return source.optional === true ? [] : [{ kind, name, keys: (source.items ?? []).map((item) => item.key) }];
}
