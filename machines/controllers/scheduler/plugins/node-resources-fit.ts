/** framework/plugins/noderesources/fit.go, v1.35. */
import type { NodeInfo } from '../node-info.ts';
import type { FilterPlugin } from '../plugin.ts';
import type { Amounts } from '../resources.ts';
import type { Rejection } from '../status.ts';

/** Names CPU, memory and ephemeral storage in this order, then the rest. */
const NAMED = ['cpu', 'memory', 'ephemeral-storage'];

/**
 * Everything that the node has too little of, each as a reason of its own. It is unresolvable when the whole empty node
 * would be too small: then no victim helps.
 * @recorded #wait-pod-unschedulable
 */
export const nodeResourcesFit: FilterPlugin = {
  name: 'NodeResourcesFit',
  filter: (cycle, node) => {
    const lacking = lackingResources(cycle.pod.requests, node);
    if (lacking.length === 0) return undefined;
    const tooSmall = lacking.some((resource) => (cycle.pod.requests.get(resource) ?? 0) > (node.allocatable.get(resource) ?? 0));
    return {
      plugin: 'NodeResourcesFit',
      code: tooSmall ? 'UnschedulableAndUnresolvable' : 'Unschedulable',
      reasons: lacking.map((resource) => (resource === 'pods' ? 'Too many pods' : `Insufficient ${resource}`)),
      field: `Node ${node.name} .status.allocatable.${lacking[0] ?? ''}`,
    } satisfies Rejection;
  },
};

/** The resources that the node cannot give, `pods` first. */
export function lackingResources(requests: Amounts, node: NodeInfo): string[] {
  const lacking = node.pods.size + 1 > (node.allocatable.get('pods') ?? 0) ? ['pods'] : [];
  for (const resource of NAMED) if (isShort(requests, node, resource)) lacking.push(resource);
  const others: string[] = [];
  for (const resource of requests.keys()) if (!NAMED.includes(resource) && isShort(requests, node, resource)) others.push(resource);
  return others.length === 0 ? lacking : [...lacking, ...others.toSorted()];
}

function isShort(requests: Amounts, node: NodeInfo, resource: string): boolean {
  const wanted = requests.get(resource) ?? 0;
  return wanted > 0 && wanted > (node.allocatable.get(resource) ?? 0) - (node.requested.get(resource) ?? 0);
}
