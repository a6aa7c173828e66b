/** The kubelets, one for each node of the cluster. */
import { objectKey } from '../../kernel/api-server.ts';
import type { World } from '../../kernel/world.ts';
import type { Pod } from '../../model/objects.ts';
import { indexPodsByClaim, podsOf } from '../claims/pods-of-claim.ts';
import { Kubelet } from './kubelet.ts';

const PODS_BY_SECRET = 'kubelet/podsBySecret';
const PODS_BY_CONFIG_MAP = 'kubelet/podsByConfigMap';

/** Starts a kubelet for each node. A pod is its node's from the moment its nodeName is set. */
export function startKubelets(world: World): void {
  const kubelets = new Map<string, Kubelet>();
  const kubeletOf = (node: string): Kubelet | undefined => {
    const known = kubelets.get(node);
    if (known || !world.api.get('Node', undefined, node)) return known;
    const made = new Kubelet(world, node);
    kubelets.set(node, made);
    return made;
  };
  for (const node of world.api.list('Node')) kubeletOf(node.metadata.name);

  indexPodsByClaim(world.api);
  world.api.index(PODS_BY_SECRET, 'Pod', (pod) => referencesOf(pod, 'secret'), (pod) => pod.spec.volumes);
  world.api.index(PODS_BY_CONFIG_MAP, 'Pod', (pod) => referencesOf(pod, 'configMap'), (pod) => pod.spec.volumes);
  const tell = (pods: readonly Pod[]): void => {
    for (const pod of pods) if (pod.spec.nodeName !== undefined) kubelets.get(pod.spec.nodeName)?.volumesMayDiffer(pod.metadata.uid);
  };

  world.api.watch('Pod', ({ verb, object }) => {
    const { nodeName } = object.spec;
    if (nodeName === undefined) return;
    if (verb === 'DELETED') kubelets.get(nodeName)?.podDeleted(object);
    else kubeletOf(nodeName)?.podChanged(object);
  });
  world.api.watch('Node', ({ verb, object }) => {
    if (verb !== 'DELETED') kubeletOf(object.metadata.name)?.nodeChanged(object);
  });
  world.api.watch('PersistentVolumeClaim', ({ object }) => tell(podsOf(world.api, objectKey(object))));
  world.api.watch('PersistentVolume', ({ object }) => {
    const claim = object.spec.claimRef;
    if (claim) tell(podsOf(world.api, `${claim.namespace ?? ''}/${claim.name ?? ''}`));
  });
  world.api.watch('Secret', ({ object }) => tell(world.api.byIndex<'Pod'>(PODS_BY_SECRET, objectKey(object))));
  world.api.watch('ConfigMap', ({ object }) => tell(world.api.byIndex<'Pod'>(PODS_BY_CONFIG_MAP, objectKey(object))));
}

/** `namespace/name` of the Secrets or ConfigMaps that a pod's volumes show. */
function referencesOf(pod: Pod, kind: 'secret' | 'configMap'): string[] {
  const found: string[] = [];
  for (const { [kind]: own, projected } of pod.spec.volumes ?? []) {
    if (own) found.push(keyIn(pod, 'secretName' in own ? own.secretName : own.name));
    for (const { [kind]: part } of projected?.sources ?? []) if (part) found.push(keyIn(pod, part.name));
  }
  return found;
}

function keyIn({ metadata: { namespace = '' } }: Pod, name: string): string {
  return `${namespace}/${name}`;
}
