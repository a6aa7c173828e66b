/** The pods that are assigned to a node. */
import type { ApiServer } from '../../kernel/api-server.ts';
import type { Pod } from '../../model/objects.ts';

const PODS_ON_NODE = 'nodes.pods-on-node';

export function indexPodsByNode(api: ApiServer): void {
  api.index(PODS_ON_NODE, 'Pod', (pod) => (pod.spec.nodeName === undefined ? [] : [pod.spec.nodeName]), (pod) => pod.spec.nodeName);
}

export function podsOnNode(api: ApiServer, node: string): Pod[] {
  return api.byIndex<'Pod'>(PODS_ON_NODE, node);
}
